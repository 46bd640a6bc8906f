import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("docs/library.md", () => {
  it("has examples that run as they stand, and print what their comments say", () => {
    const page = readFileSync(join(root, "docs/library.md"), "utf8");
    const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
    const promised = examples.map((example) =>
      example
        .split("\n")
        .filter((line) => line.startsWith("console.log("))
        .map((line) => line.slice(line.indexOf("// ") + 3)),
    );
    expect(promised.map(({ length }) => length)).toEqual([3, 1]);
    // Node breaks long lines where it likes.
    const printed = examples.map((example) => run(example).replaceAll(/\s+/g, " ").trim());
    expect(printed).toEqual(promised.map((lines) => lines.join(" ")));
  });
});

describe("README.md", () => {
  it("can be read in five minutes", () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8_000);
  });
});

/** Runs a program in a folder of its own, where this package is installed as it was built. Returns what it prints. */
function run(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-readme-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/cairn-checkpoint"), "junction");
    // A package of its own: else Node takes the nearest package.json above for the program's.
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "example", type: "module" }));
    const file = join(folder, "example.ts");
    writeFileSync(file, program);
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
    return execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8", env, timeout: 60_000 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
