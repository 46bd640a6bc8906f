import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { commandsByWord } from "../src/doors/command/help.ts";
import { GROUPS } from "../src/work/verbs/spec.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("README.md", () => {
  it("has examples that run as they stand, and print what their comments say", () => {
    const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
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

  it("names every command by its first word, as the help does", () => {
    const rows = Object.entries(GROUPS).map(([group, title]) => {
      const words = commandsByWord(group).map(({ word }) => `\`${word}\``);
      return `| ${title} | ${words.join(", ")} |`;
    });
    const section = readme.slice(readme.indexOf("\n## Commands\n"), readme.indexOf("\n## In a program\n"));
    const shown = section.split("\n").filter((line) => line.startsWith("| "));
    expect(shown.slice(2)).toEqual(rows);
  });

  it("can be read in five minutes", () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12_000);
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
