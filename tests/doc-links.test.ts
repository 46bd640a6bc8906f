import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const documents = [
  ...readdirSync(root),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)),
].filter((name) => name.endsWith(".md"));

/** What a link leads to within a document: its headings, as the usual renderers name them. */
function anchorsOf(text: string): string[] {
  const headings = withoutCode(text).match(/^#{1,6} .*$/gm) ?? [];
  return headings.map((line) =>
    line
      .replace(/^#+ /, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

const withoutCode = (text: string) =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ""));

describe("links in documents", () => {
  it.each(documents)("of %s lead somewhere", (name) => {
    const text = readFileSync(join(root, name), "utf8");
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? join(root, name) : join(root, dirname(name), path);
      if (!existsSync(target)) return true;
      if (anchor === undefined || statSync(target).isDirectory()) return false;
      return !anchorsOf(readFileSync(target, "utf8")).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("reach every document from the README", () => {
    const seen = new Set<string>();
    const visit = (name: string) => {
      if (seen.has(name) || !existsSync(join(root, name))) return;
      seen.add(name);
      const text = withoutCode(readFileSync(join(root, name), "utf8"));
      for (const [, path = ""] of text.matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g))
        if (!/^[a-z]+:/.test(path)) visit(join(dirname(name), path));
    };
    visit("README.md");
    expect(documents.filter((name) => name.startsWith("docs") && !seen.has(name))).toEqual([]);
  });
});
