import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import * as store from "../src/store.ts";
import { openMemoryStore } from "../src/store/memory.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

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
    const offered = ["src/store.ts", "src/index.ts"].flatMap((path) => named("export", read(path)));
    const names = new Set(offered.map(({ name }) => name));
    const parts = ["src/store/memory.ts", "src/store/memory-index.ts"];
    const used = parts
      .flatMap((path) => named("import", read(path)))
      .filter(({ from }) => from.startsWith(".") && !from.endsWith("/memory-index.ts"));
    expect(used.length).toBeGreaterThan(15);
    expect(used.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  });

  it("shows by an example how each function, class and constant of errors and checkpoints is used", () => {
    const values = [...read("src/index.ts").matchAll(/^export \{([^}]*)\} from "([^"]+)"/gm)].flatMap(
      ([, names = "", from = ""]) =>
        names
          .split(",")
          .map((name) => name.trim())
          .filter(
            (name) => name !== "" && !name.startsWith("type ") && /^\.\/(?:errors|checkpoints)/.test(from),
          )
          .map((name) => ({ name, from })),
    );
    const bare = values.filter(({ name, from }) => {
      const declared = `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:async )?(?:const|function\\*?|class) ${name}\\b`;
      return !new RegExp(declared).exec(read(join("src", from)))?.[1]?.includes("@example");
    });
    expect(values.length).toBeGreaterThanOrEqual(15);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it("exports every part of the store's contract", () => {
    const declared = [...read("src/store/contract.ts").matchAll(/^export interface (\w+)/gm)];
    const offered = new Set(named("export", read("src/store.ts")).map(({ name }) => name));
    expect(declared.length).toBeGreaterThan(10);
    expect(declared.map(([, name]) => name as string).filter((name) => !offered.has(name))).toEqual([]);
  });

  it("documents what a store of one's own needs, name by name", async () => {
    const page = read("docs/stores.md");
    for (const name of Object.keys(store)) expect(page).toContain(name);
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(await openMemoryStore()));
    for (const method of methods.filter((name) => name !== "constructor")) expect(page).toContain(method);
  });
});
