import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";

const GROUND = ["errors", "text", "objects", "redaction", "store", "checkpoints"];

/**
 * The layers, from the ground up, and what each may import besides itself. A layer is a folder, or a single file,
 * directly below src/. Redaction needs objects only to know what JSON is.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  errors: [],
  text: [],
  objects: ["errors"],
  redaction: ["errors", "text", "objects"],
  store: ["errors", "objects"],
  checkpoints: ["errors", "text", "objects", "redaction", "store"],
  remote: GROUND,
  handoff: GROUND,
  capture: GROUND,
  governance: [...GROUND, "capture"],
  workflow: [...GROUND, "handoff", "capture"],
  sessions: [...GROUND, "handoff", "capture", "workflow"],
  project: [...GROUND, "remote", "handoff", "capture", "governance", "workflow", "sessions"],
  integrations: [...GROUND, "handoff", "capture", "workflow", "sessions", "project"],
  web: [...GROUND, "capture", "workflow", "project"],
  cli: [
    ...GROUND,
    "handoff",
    "capture",
    "governance",
    "workflow",
    "sessions",
    "project",
    "integrations",
    "web",
  ],

  // The contracts as tests. Published, but no other layer may import them: only tests do.
  testing: [...GROUND, "remote"],

  // The entry point of the package; that of the stores is store.ts.
  index: GROUND,
};

/** Files outside src/cli that may touch the process, each with its reason. */
const MAY_TOUCH_PROCESS: Record<string, string> = {
  "store/sqlite/node-sqlite.ts": "asks Node for SQLite, to refuse a Node that has none in words",
  "capture/this-machine.ts": "the process, machine and environment that are used when nobody passes them in",
  "governance/exec/plan-digest.ts": "the system's temporary folder, for the plan that is applied",
  "governance/exec/run-command.ts": "the numbers of signals, for the status of a command that was killed",
  "store/private-files.ts": "asks for the user's id, to refuse a store that somebody else planted",
  "store/sqlite/open.ts":
    "how long it has waited; loading `performance` would take a millisecond of each command",
  "store/sqlite/write-lock.ts": "the same",
};

/** Files outside src/cli that ask the clock or for chance themselves, each with its reason. All others get them passed in. */
const MAY_ASK_CLOCK_OR_CHANCE: Record<string, string> = {
  "checkpoints/cairn.ts": "the library's door: the clock that is used when nobody passes one in",
  "checkpoints/staging.ts": "two imports at the same moment must not share a hidden trail",
  "governance/exec/exec.ts": "two commands at once need different names",
  "governance/gate/agents.ts": "an agent's token: nobody may guess it",
  "governance/keys/authority-file.ts": "the salt of a passphrase",
  "integrations/mcp/agent-door.ts": "a key that nobody outside this process may know",
  "project/gate/undecided.ts": "two calls at the same moment need different names",
  "project/library/workflows.ts": "the library's door: the clock that is used when nobody passes one in",
  "project/open-project.ts": "the library's door: the clock that is used when nobody passes one in",
  "project/remotes/connect.ts": "what tells one push from another must be random",
  "project/remotes/keys.ts": "the key of a remote",
  "project/settings/secret-memory.ts": "the key that secrets are remembered by: nobody may guess it",
  "remote/places/file-remote.ts": "the name of a temporary file, which must be free",
  "remote/sealing.ts": "a nonce must never repeat",
  "store/postgres/migrate.ts": "a store's id and key: nobody may guess or repeat them",
  "store/sqlite/open.ts": "waits for other processes a random time, so that they do not meet again",
  "store/sqlite/schema.ts": "a store's id and key: nobody may guess or repeat them",
  "store/sqlite/write-lock.ts": "waits for other processes a random time, so that they do not meet again",
  "store/store-files.ts": "how long ago a folder changed, which the system's clock dated",
  "store/write-private.ts": "the name of a temporary file, which must be free",
  "web/page/gantt.tsx": "in a browser: what runs at this moment ends now",
  "web/page/parts.tsx": "in a browser: how long ago something was",
  "web/serve-page.ts": "the key of a page: nobody may guess it",
  "workflow/cluster/dispatcher.ts": "the clock of the queue's own timers",
  "workflow/cluster/hints.ts": "names the process that gives a hint, so that it hears none of its own",
  "workflow/cluster/move-run.ts": "tells one mover of a run from another",
  "workflow/cluster/server-leases.ts": "tells one holder of a lease from another",
  "workflow/cluster/worker.ts": "tells one worker from another",
  "workflow/engine/local-engine.ts": "time limits of processes, counted from the times of files",
  "workflow/runner/recover-attempts.ts": "the age of a file, which the system's clock dated",
  "workflow/runner/run-id.ts": "two runs that start in the same second need different names",
};

/** Files that may start a process, each with what it starts. Only the first starts git. */
const MAY_START_PROCESSES: Record<string, string> = {
  "capture/git/run-git.ts": "git, so that nothing of a repository's config runs or leads it elsewhere",
  "capture/collectors/run-collector.ts": "the programs that a person accepted as collectors",
  "cli/commands/ui.ts": "the browser that opens the page",
  "cli/ui/resume-run.ts": "this command, to resume a run from the page",
  "governance/exec/run-command.ts": "the command that `checkpoint exec` was given",
  "project/known-node.ts": "the Node that the launcher would use",
  "capture/files/system-processes.ts": "ps, where there is no /proc",
  "workflow/engine/finish-attempt.ts": "the `verify` command of a step",
  "workflow/engine/local-engine.ts": "the command of a step",
  "workflow/engine/process-identity.ts": "ps, where there is no /proc",
};

const PROCESS_STARTER = /["'`](?:node:)?child_process["'`]/;
/** The name of the program: alone, with a path or an ending, or as the first word of a shell's line. */
const GIT = /["'`](?:[^"'`\s]*[\\/])?git(?:\.exe)?(?:["'`]|\s)/;
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](?<target>[^"']+)["']/g;
const PROCESS = /\b(?:process|console)\s*[.[]|["']node:(?:process|os|readline|tty)["']/;
const CLOCK_OR_CHANCE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(?:UUID|Bytes|Int)\(/;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

const source = join(import.meta.dirname, "../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll("\\", "/"))
  .map((name) => ({ name, text: readFileSync(join(source, name), "utf8") }));
const product = files.filter(({ name }) => !name.endsWith(".test.ts"));
/** The layers with groups. A group is a folder directly inside a layer, or a file there. */
const layersWithGroups = Object.keys(MAY_IMPORT).filter((layer) =>
  product.some(({ name }) => name.startsWith(`${layer}/`)),
);

describe("architecture", () => {
  it("has imports that go one way only", () => {
    const wrong = files.flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter((target) => !mayImport(layerOf(name), layerOf(target)))
        .filter((target) => !(name.endsWith(".test.ts") && layerOf(target) === "testing"))
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("names each layer that there is, and no other", () => {
    expect(Object.keys(MAY_IMPORT).toSorted()).toEqual(
      [...new Set(files.map(({ name }) => layerOf(name)))].toSorted(),
    );
  });

  it.each(layersWithGroups)("has no cycles between the groups of %s", (layer) => {
    expect(cyclesOf(importsBetweenGroups(layer))).toEqual([]);
  });

  it("sees a cycle, and only what belongs to it", () => {
    const imports = [
      ["a", "b"],
      ["b", "c"],
      ["c", "b"],
      ["c", "d"],
    ] as const;
    expect(cyclesOf(imports)).toEqual(["b imports c", "c imports b"]);
  });

  it("has integrations that do not know each other", () => {
    const wrong = files.flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter((target) => layerOf(name) === "integrations" && layerOf(target) === "integrations")
        .filter((target) => groupOf(name) !== groupOf(target))
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("touches process, console and environment in src/cli only", () => {
    const touching = product.filter(({ text }) => PROCESS.test(text.replaceAll(COMMENT, "")));
    const wrong = touching.filter(({ name }) => layerOf(name) !== "cli" && !(name in MAY_TOUCH_PROCESS));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("gets clock and chance passed in", () => {
    const asking = product.filter(({ text }) => CLOCK_OR_CHANCE.test(text.replaceAll(COMMENT, "")));
    const below = asking.map(({ name }) => name).filter((name) => layerOf(name) !== "cli");
    expect(below.toSorted()).toEqual(Object.keys(MAY_ASK_CLOCK_OR_CHANCE));
  });

  it("starts processes where it says so, and git in one place", () => {
    const starting = product.filter(({ text }) => PROCESS_STARTER.test(text.replaceAll(COMMENT, "")));
    expect(starting.map(({ name }) => name).toSorted()).toEqual(Object.keys(MAY_START_PROCESSES).toSorted());
    const [door] = Object.keys(MAY_START_PROCESSES);
    const git = starting.filter(({ name, text }) => name !== door && GIT.test(text.replaceAll(COMMENT, "")));
    expect(git.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    'spawn("git", ["status"])',
    "execFile('git', args)",
    "exec(`git status`)",
    'const program = "/usr/bin/git"; spawn(program)',
    'spawnSync("sh", ["-c", "git status"])',
  ])("sees that git is started: %s", (text) => {
    expect(GIT.test(text)).toBe(true);
  });

  it("starts no program by its bare name, which a $PATH could lead into the repository", () => {
    const bare = product.filter(({ text }) => /\b(?:spawn|execFile)(?:Sync)?\("[^/"]/.test(text));
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    'import { spawn } from "node:child_process"',
    'await import("child_process")',
    "require('child_process')",
  ])("sees what can start a process: %s", (text) => {
    expect(PROCESS_STARTER.test(text)).toBe(true);
  });

  it("has one meaning for each name of a type that it exports, outside the page", () => {
    const named = product
      .filter(({ name }) => !name.startsWith("web/page/"))
      .flatMap(({ text }) => [...text.matchAll(/^export (?:interface|type|class) (\w+)/gm)]);
    const names = named.map(([, name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("has file names in kebab-case", () => {
    const wrong = files.filter(({ name }) => !/^[a-z0-9-]+(\.test)?\.tsx?$/.test(basename(name)));
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
function groupOf(name: string): string {
  return name.split("/")[1]?.replace(/(\.test)?\.ts$/, "") ?? "";
}

function mayImport(from: string, to: string): boolean {
  return from === to || (MAY_IMPORT[from] ?? []).includes(to);
}

type Import = readonly [from: string, to: string];

function importsBetweenGroups(layer: string): Import[] {
  return product
    .filter(({ name }) => layerOf(name) === layer)
    .flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter((target) => layerOf(target) === layer)
        .map((target): Import => [groupOf(name), groupOf(target)]),
    )
    .filter(([from, to]) => from !== to);
}

/** What is left when those that import nothing, or that nothing imports, are taken away until all others do both. */
function cyclesOf(imports: readonly Import[]): string[] {
  const importing = new Set(imports.map(([from]) => from));
  const imported = new Set(imports.map(([, to]) => to));
  const left = imports.filter(([from, to]) => imported.has(from) && importing.has(to));
  if (left.length < imports.length) return cyclesOf(left);
  return [...new Set(left.map(([from, to]) => `${from} imports ${to}`))].toSorted();
}
