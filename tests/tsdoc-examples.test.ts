import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What each entry point exports, by name. */
const ENTRIES: Readonly<Record<string, string>> = {
  "src/doors/library/index.ts": "cairn-checkpoint",
  "src/work/capture/index.ts": "cairn-checkpoint/capture",
  "src/work/handoff/index.ts": "cairn-checkpoint/handoff",
  "src/doors/library/project.ts": "cairn-checkpoint/project",
  "src/doors/library/workflow/index.ts": "cairn-checkpoint/workflow",
  "src/doors/library/store.ts": "cairn-checkpoint/store",
  "src/capabilities/postgres/store.ts": "cairn-checkpoint/postgres",
  "src/testing/index.ts": "cairn-checkpoint/testing",
  "src/capabilities/agent-sdk/index.ts": "cairn-checkpoint/agent-sdk",
  "src/capabilities/openai-agents/index.ts": "cairn-checkpoint/openai-agents",
  "src/capabilities/ai-sdk/index.ts": "cairn-checkpoint/ai-sdk",
  "src/capabilities/langgraph/index.ts": "cairn-checkpoint/langgraph",
  "src/capabilities/mastra/index.ts": "cairn-checkpoint/mastra",
};

/** What the reader has already, by the name that an example uses for it. Each may use those below it. */
const GIVEN: Readonly<Record<string, string>> = {
  subagent: "const subagent = { run: async (prompt: string) => prompt };",
  taskPrompt: 'const taskPrompt = "Promote it";',
  input: "const input = { checkpoint, state, key };",
  addTags: "const addTags = (draft: WorkState) => void draft;",
  startFresh: "const startFresh = () => undefined;",
  again: "const again = async () => undefined;",
  error: 'const error: unknown = new CheckpointError("conflict", "x");',
  queueLength: "const queueLength = async () => 3;",
  length: "const length = async () => 3;",
  countWords: "const countWords = async (file: string | undefined) => String(file).length;",
  items: 'const items = [{ id: "a", at: new Date() }, { id: "b", at: new Date() }] as never[];',
  checkpoint: "const { state, ...checkpoint } = await trail.load();",
  key: "const { key } = await cairn.store.identity();",
  trail: `const trail = cairn.trail("main");
await trail.commit((draft) => { draft.tasks.push({ id: "2", subject: "Test it", status: "in_progress", owner: null, blocks: [], blocked_by: [] }); });`,
  sqliteStore: "const sqliteStore = await openMemoryStore();",
  postgresStore: "const postgresStore = await openMemoryStore();",
  cairn: `const cairn = await openCairn({ store: await openMemoryStore() });
await cairn.trail("main").commit((draft) => { draft.goal = "Ship it"; });`,
  openMySaver: "declare const openMySaver: Parameters<typeof testSaver>[0];",
  openMyStore: "const openMyStore = () => openMemoryStore();",
  openMyRemote: "declare const openMyRemote: Parameters<typeof testRemote>[0];",
  release: 'const release = defineWorkflow({ name: "release", steps: [{ id: "a", run: "true" }] });',
  signal: "const signal = AbortSignal.timeout(1);",
  root: 'const root = ".";',
  objects: "const objects = new Map<ObjectId, Uint8Array>();",
  checkpointIds: "const checkpointIds: ObjectId[] = [];",
  bytes: "const bytes = new Uint8Array();",
  names: 'const names: unknown[] = ["a"];',
  createWriteStream: 'import { createWriteStream } from "node:fs";',
  createReadStream: 'import { createReadStream } from "node:fs";',
  pipeline: 'import { pipeline } from "node:stream/promises";',
};

/** Examples that cannot be tried, by something that stands in them, and why. */
const NOT_TRIED: Readonly<Record<string, string>> = {
  "@anthropic-ai/claude-agent-sdk": "talks to a model; tests/adapters has the same with the SDK's own store",
  "@openai/agents": "talks to a model; tests/adapters has the same with the SDK's own runner",
  streamText: "talks to a model; tests/adapters has the same with messages of its own",
  CairnSaver: "extends a class of LangGraph's, which is not installed here; tests/langgraph has it",
  CairnWorkflows: "extends a class of Mastra's, which is not installed here; tests/mastra has it",
  "gpt-tokenizer": "a package that is not installed here",
  "class MyStore": "a sketch: its database is the reader's; examples/store is a whole one",
  "this.#isClosed": "stands inside a store's class; examples/store/memory-store.ts has it",
  "throw headMoved": "stands inside a store; examples/store/memory-store.ts has it",
  "throw staleReference": "stands inside a store; examples/store/memory-store.ts has it",
  "throw foreignIdTaken": "stands inside a store; examples/store/memory-store.ts has it",
  "throw trailRemoved": "stands inside a store; examples/store/memory-store.ts has it",
  "throw noSuchCheckpoint": "stands inside a store; examples/store/memory-store.ts has it",
  prunedCheckpoint: "stands inside a store; examples/store/memory-store.ts has it",
  assertWellFormed: "stands inside a store; examples/store/memory-store.ts has it",
  planRemoval: "stands inside a store; examples/store/memory-store.ts has it",
  "throw damaged": "stands inside a store; examples/store/memory-store.ts has it",
};

/** Examples that are only compiled, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  testStore: "tests/store/suite.test.ts runs the suite",
  testRemote: "tests/remote runs the suite",
  testSaver: "tests/langgraph runs the suite",
  openPostgresStore: "needs a PostgreSQL server; tests/postgres runs the same with one",
  runWorker: "needs a PostgreSQL server; tests/postgres runs the same with one",
  "objects.get(id)": "walks objects that the reader has; examples/store/memory-store.ts does",
  damageAmong: "walks objects that the reader has; examples/store/memory-store.ts does",
};

interface Example {
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

const offered = Object.entries(ENTRIES).flatMap(([file, entry]) =>
  namesIn(file).map((each) => ({ ...each, entry })),
);
const exported = new Map(offered.map(({ name, entry }) => [name, entry]));
const declarations = new Set(offered.map(({ name, from }) => `${from} ${name}`));
const reasonIn = (reasons: Readonly<Record<string, string>>, { text }: Example) =>
  Object.entries(reasons).find(([part]) => text.includes(part))?.[1];
const examples = sources("src").flatMap(examplesIn).filter(isPublic);
const tried = examples.filter((example) => reasonIn(NOT_TRIED, example) === undefined);

describe("examples in the documentation of what is exported", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "cairn-examples-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/cairn-checkpoint"), "junction");
    symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"), "junction");
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "examples", type: "module" }));
    const steps = "steps:\n  - { id: a, run: 'true' }\n";
    writeFileSync(join(folder, "build.yaml"), `name: build\ninputs: { feature: }\n${steps}`);
    writeFileSync(join(folder, "build-feature.yaml"), `name: build-feature\n${steps}`);
    for (const [index, example] of tried.entries())
      writeFileSync(join(folder, `${index}.ts`), programOf(example));
    const compilerOptions = {
      target: "esnext",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("are found, and no reason is left over", () => {
    expect(tried.length).toBeGreaterThan(25);
    for (const reasons of [NOT_TRIED, NOT_RUN])
      expect(
        Object.keys(reasons).filter((part) => !examples.some(({ text }) => text.includes(part))),
      ).toEqual([]);
  });

  it("compile", () => {
    const tsc = join(root, "node_modules/.bin/tsc");
    const { stdout } = spawnSync(tsc, ["-p", folder], { cwd: folder, encoding: "utf8" });
    const named = stdout.replaceAll(/^(\d+)\.ts/gm, (_, index: string) => {
      const { file, name } = tried[Number(index)]!;
      return `${file} (${name})`;
    });
    expect(named).toBe("");
  });

  it.each(tried.map((example, index) => [`${example.file}: ${example.name}`, example, index] as const))(
    "%s: runs",
    (_, example, index) => {
      if (reasonIn(NOT_RUN, example) !== undefined) return;
      const options = { cwd: folder, encoding: "utf8", timeout: 60_000 } as const;
      expect(() => void execFileSync(process.execPath, [`${index}.ts`], options)).not.toThrow();
    },
  );
});

/** The example with what it takes for granted: imports of what this package exports, and what the reader has. */
function programOf({ text }: Example): string {
  const lines = [text];
  const declares = (name: string) =>
    new RegExp(`(?:const|class|function|import) (?:\\{[^}]*)?\\b${name}\\b`).test(lines.join("\n"));
  const uses = (name: string) =>
    new RegExp(`(?<![\\w"]|(?<!\\.\\.)\\.)${name}\\b(?!["/])`).test(lines.join("\n"));
  for (const [name, declaration] of Object.entries(GIVEN))
    if (uses(name) && !declares(name)) lines.unshift(declaration);
  const own = [...exported].filter(([name]) => uses(name) && !declares(name));
  return [...own.map(([name, entry]) => importOf(name, entry)), ...lines, "export {};"].join("\n");
}

const importOf = (name: string, entry: string) =>
  `import ${isType(name) ? "type " : ""}{ ${name} } from "${entry}";`;

function isType(name: string): boolean {
  return Object.keys(ENTRIES).some((file) =>
    new RegExp(`(?:type ${name}\\b[^=]*[,}]|export type \\{[^}]*\\b${name}\\b)`).test(read(file)),
  );
}

/** What a file exports: its name, and the file that declares it. */
function namesIn(file: string): { name: string; from: string }[] {
  const text = read(file);
  const at = (from: string | undefined) => (from === undefined ? file : join(dirname(file), from));
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/gm)].flatMap(
    ([, names = "", from]) =>
      names.split(",").map((name) => ({
        name: name
          .trim()
          .replace(/^type /, "")
          .split(" as ")
          .at(-1)!,
        from: at(from),
      })),
  );
  const declared = text.matchAll(/^export (?:async )?(?:function\*?|const|class|interface) (\w+)/gm);
  const passedOn = [...text.matchAll(/^export \* from "([^"]+)"/gm)];
  return [
    ...listed.filter(({ name }) => name !== ""),
    ...[...declared].map(([, name = ""]) => ({ name, from: file })),
    ...passedOn.flatMap(([, from]) => namesIn(at(from))),
  ];
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`)
    .toSorted();
}

/** `name` is what the comment stands before; empty where it is about the whole file. */
function examplesIn(file: string): Example[] {
  const comments = read(file).matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*?@example\n(?:(?!\*\/)[\s\S])*)\*\/\n *(.*)/g,
  );
  return [...comments].map(([, comment = "", next = ""]) => {
    const lines = comment.slice(comment.indexOf("@example") + 9).split("\n");
    const text = lines.map((line) => line.replace(/^ *\* ?/, "")).join("\n");
    const name =
      /^(?:export )?(?:async )?(?:function\*? |const |class |interface )?(\w+)/.exec(next)?.[1] ?? "";
    const isOfFile = comment.includes("@packageDocumentation");
    return {
      file,
      name: isOfFile ? "" : name,
      text: text.replace(/@packageDocumentation[\s\S]*/, "").trim(),
    };
  });
}

/** Of an entry point, of what one exports, or of a method of a class that is exported. */
function isPublic({ file, name }: Example): boolean {
  return name === "" ? file in ENTRIES : declarations.has(`${file} ${name}`) || name === "commit";
}
