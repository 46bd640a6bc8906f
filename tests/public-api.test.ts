import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

import * as root from "../src/doors/library/index.ts";
import * as store from "../src/doors/library/store.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");

/** The names between the braces of every import or export statement, and where they come from. */
function named(word: "import" | "export", text: string): { name: string; from: string }[] {
  const statement = new RegExp(`^${word} (?:type )?\\{([^}]*)\\} from "([^"]+)"`, "gm");
  return [...text.matchAll(statement)].flatMap(([, names = "", from = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter(Boolean)
      .map((name) => ({ name, from })),
  );
}

describe("the public API", () => {
  it("has everything that a store is written with", () => {
    const parts = ["memory-store.ts", "memory-index.ts"].map((file) => read(`examples/store/${file}`));
    const sources = parts.flatMap((text) => [...text.matchAll(/ from "([^"]+)"/g)].map(([, from]) => from));
    const known = ["../../src/doors/library/store.ts", "./memory-index.ts", "node:crypto"];
    expect(sources.filter((from) => !known.includes(from as string))).toEqual([]);
  });

  it.each(["doors/library/index.ts", "work/capture/index.ts", "work/handoff/index.ts"])(
    "shows by an example how each function, class and constant of %s is used",
    (entry) => {
      const values = [...read(join("src", entry)).matchAll(/^export \{([^}]*)\} from "([^"]+)"/gm)].flatMap(
        ([, names = "", from = ""]) =>
          names
            .split(",")
            .map((name) => name.trim())
            .filter((name) => name !== "" && !name.startsWith("type "))
            .map((name) => ({ name, file: join("src", dirname(entry), from) })),
      );
      const bare = values.filter(({ name, file }) => {
        const declared = `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:async )?(?:const|function\\*?|class) ${name}\\b`;
        return !new RegExp(declared).exec(read(file))?.[1]?.includes("@example");
      });
      expect(values.length).toBeGreaterThanOrEqual(2);
      expect(bare.map(({ name }) => name)).toEqual([]);
    },
  );

  it("has a root that a page explains, and names every other entry point there", () => {
    const readme = read("docs/library.md");
    for (const name of Object.keys(root)) expect(readme).toContain(name);
    const { exports } = JSON.parse(read("package.json")) as { exports: Record<string, unknown> };
    const subpaths = Object.keys(exports).filter((path) => path !== "." && path !== "./package.json");
    for (const path of subpaths) expect(readme).toContain(`\`cairn-checkpoint${path.slice(1)}\``);
  });

  it("exports every part of the store's contract", () => {
    const declared = [...read("src/core/store/contract.ts").matchAll(/^export interface (\w+)/gm)];
    const offered = new Set(named("export", read("src/doors/library/store.ts")).map(({ name }) => name));
    expect(declared.length).toBeGreaterThan(10);
    expect(declared.map(([, name]) => name as string).filter((name) => !offered.has(name))).toEqual([]);
  });

  it("documents what a store of one's own needs, name by name", async () => {
    const page = read("docs/reference/stores.md");
    for (const name of Object.keys(store)) expect(page).toContain(name);
    for (const method of Object.keys(await store.openMemoryStore())) expect(page).toContain(method);
  });
});
