import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";

const GROUND = ["errors", "text", "objects", "redaction", "store", "checkpoints"];

/** What each layer may import, besides itself. A layer is a folder, or a single file, directly below src/. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  text: [],
  objects: ["errors"],
  redaction: ["errors", "text", "objects"],
  store: ["errors", "objects"],
  checkpoints: ["errors", "text", "objects", "redaction", "store"],
  handoff: GROUND,
  capture: GROUND,
  governance: [...GROUND, "handoff", "capture"],
  workflow: [...GROUND, "handoff", "capture", "governance"],
  sessions: [...GROUND, "handoff", "capture", "governance", "workflow"],
  integrations: [...GROUND, "handoff", "capture", "governance", "workflow", "sessions"],
  cli: [...GROUND, "handoff", "capture", "governance", "workflow", "sessions", "integrations"],

  // The entry points of the package.
  index: [...GROUND, "handoff", "capture", "governance"],
  testing: GROUND,
};

/** Files outside src/cli that may touch the process, each with its reason. */
const MAY_TOUCH_PROCESS: Record<string, string> = {
  "store/sqlite/open.ts": "asks for the user's id, to refuse a store that somebody else planted",
};

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](?<target>[^"']+)["']/g;
const PROCESS = /\b(?:process|console)\s*[.[]|["']node:(?:process|os|readline|tty)["']/;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

const source = join(import.meta.dirname, "../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replaceAll("\\", "/"))
  .map((name) => ({ name, text: readFileSync(join(source, name), "utf8") }));
const product = files.filter(({ name }) => !name.endsWith(".test.ts"));

describe("architecture", () => {
  it("has imports that go one way only", () => {
    const wrong = files.flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter((target) => !mayImport(layerOf(name), layerOf(target)))
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has integrations that do not know each other", () => {
    const wrong = files.flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter((target) => layerOf(name) === "integrations" && layerOf(target) === "integrations")
        .filter((target) => integrationOf(name) !== integrationOf(target))
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("touches process, console and environment in src/cli only", () => {
    const touching = product.filter(({ text }) => PROCESS.test(text.replaceAll(COMMENT, "")));
    const wrong = touching.filter(({ name }) => layerOf(name) !== "cli" && !(name in MAY_TOUCH_PROCESS));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("has file names in kebab-case", () => {
    const wrong = files.filter(({ name }) => !/^[a-z0-9-]+(\.test)?\.ts$/.test(basename(name)));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("has files short enough to hold one concept", () => {
    const long = product.filter(({ text }) => text.trimEnd().split("\n").length > 250);
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  it("sees every kind of import", () => {
    const text = `import { a } from "./a.ts";\nimport "./b.ts";\nexport * from "../c/c.ts";\nawait import("./d.ts");\nimport type {\n  E,\n} from "./e.ts";`;
    expect(importsOf("x/x.ts", text)).toEqual(["x/a.ts", "x/b.ts", "c/c.ts", "x/d.ts", "x/e.ts"]);
  });
});

/** The files below src/ that a file imports. Packages and Node's own modules are left out. */
function importsOf(name: string, text: string): string[] {
  const targets = [...text.replaceAll(COMMENT, "").matchAll(IMPORT)].map(
    (match) => match.groups?.["target"] ?? "",
  );
  return targets
    .filter((target) => target.startsWith(".") && !target.endsWith("package.json"))
    .map((target) => posix.join(dirname(name), target));
}

function layerOf(name: string): string {
  return name.split("/")[0]?.replace(/(\.test)?\.ts$/, "") ?? "";
}

/** `integrations/mcp/server.ts` and `integrations/mcp.ts` belong to `mcp`. */
function integrationOf(name: string): string {
  return name.split("/")[1]?.replace(/(\.test)?\.ts$/, "") ?? "";
}

function mayImport(from: string, to: string): boolean {
  return from === to || (MAY_IMPORT[from] ?? []).includes(to);
}
