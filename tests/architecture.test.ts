import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { CAPABILITIES } from "../src/capabilities/list.ts";

/** The floors, from the ground up. A floor imports itself and those below it. */
const FLOORS = ["core", "work", "capabilities", "doors"] as const;

/**
 * The rooms of the two lower floors, from the ground up: what each may import on its own floor besides itself. Redaction
 * needs objects only to know what JSON is.
 */
const ROOMS: Record<string, Record<string, readonly string[]>> = {
  core: {
    errors: [],
    text: [],
    objects: ["errors"],
    redaction: ["errors", "text", "objects"],
    store: ["errors", "objects"],
    trails: ["errors", "text", "objects", "redaction", "store"],
  },
  work: {
    shape: [],
    verbs: ["shape"],
    yaml: ["shape"],
    state: ["shape"],
    machine: [],
    join: ["state"],
    import: ["shape", "state"],
    progress: ["state", "machine", "yaml"],
    capture: ["state", "machine"],
    handoff: ["state"],
    clients: ["machine"],
    sessions: ["state", "machine", "capture", "handoff", "clients"],
    terminal: ["verbs", "state", "machine", "handoff", "clients", "sessions", "project"],
    project: [
      "shape",
      "verbs",
      "yaml",
      "state",
      "machine",
      "join",
      "import",
      "progress",
      "capture",
      "handoff",
      "clients",
      "sessions",
    ],
  },
};

/** The capabilities, and the others that each needs, as its entry says. It imports no other. */
const NEEDS: Record<string, readonly string[]> = Object.fromEntries(
  CAPABILITIES.map(({ name, needs }) => [name, needs]),
);

/** Files outside src/doors/command that may touch the process, each with its reason. */
const MAY_TOUCH_PROCESS: Record<string, string> = {
  "core/store/sqlite/node-sqlite.ts": "asks Node for SQLite, to refuse a Node that has none in words",
  "work/machine/this-machine.ts":
    "the process, machine and environment that are used when nobody passes them in",
  "capabilities/governance/exec/plan-digest.ts":
    "the system's temporary folder, for the plan that is applied",
  "capabilities/governance/exec/run-command.ts":
    "the numbers of signals, for the status of a command that was killed",
  "capabilities/chaos/one-life.ts":
    "kills and stops itself: a runner or a worker under chaos, in a process of its own",
  "capabilities/chaos/project-copies.ts": "the system's temporary folder, for copies of the project",
  "core/store/private-files.ts": "asks for the user's id, to refuse a store that somebody else planted",
  "core/store/sqlite/open.ts":
    "how long it has waited; loading `performance` would take a millisecond of each command",
  "core/store/sqlite/write-lock.ts": "the same",
  "work/terminal/output.ts": "the same, before it shows progress",
};

/** Files outside src/doors/command that ask the clock or for chance themselves, each with its reason. All others get them passed in. */
const MAY_ASK_CLOCK_OR_CHANCE: Record<string, string> = {
  "capabilities/postgres/hints.ts": "names the process that gives a hint, so that it hears none of its own",
  "work/state/cairn.ts": "the library's door: the clock that is used when nobody passes one in",
  "core/trails/staging.ts": "two imports at the same moment must not share a hidden trail",
  "capabilities/governance/exec/exec.ts": "two commands at once need different names",
  "capabilities/governance/gate/agents.ts": "an agent's token: nobody may guess it",
  "capabilities/governance/keys/authority-file.ts": "the salt of a passphrase",
  "doors/mcp/agent-door.ts": "a key that nobody outside this process may know",
  "capabilities/governance/project-gate/undecided.ts": "two calls at the same moment need different names",
  "doors/library/workflow/workflows.ts":
    "the library's door: the clock that is used when nobody passes one in",
  "doors/library/open-project.ts": "the library's door: the clock that is used when nobody passes one in",
  "capabilities/sync/remotes/connect.ts": "what tells one push from another must be random",
  "capabilities/sync/remotes/keys.ts": "the key of a remote",
  "work/project/settings/secret-memory.ts": "the key that secrets are remembered by: nobody may guess it",
  "capabilities/sync/places/file-remote.ts": "the name of a temporary file, which must be free",
  "capabilities/sync/sealing.ts": "a nonce must never repeat",
  "capabilities/ai-sdk/chat-store.ts": "the library's door: the clock that is used when nobody passes one in",
  "capabilities/langgraph/saver.ts": "the library's door: the clock that is used when nobody passes one in",
  "capabilities/mastra/workflows.ts": "the library's door: the clock that is used when nobody passes one in",
  "capabilities/postgres/store/migrate.ts": "a store's id and key: nobody may guess or repeat them",
  "core/store/sqlite/open.ts": "waits for other processes a random time, so that they do not meet again",
  "core/store/sqlite/schema.ts": "a store's id and key: nobody may guess or repeat them",
  "core/store/sqlite/write-lock.ts":
    "waits for other processes a random time, so that they do not meet again",
  "core/store/store-files.ts": "how long ago a folder changed, which the system's clock dated",
  "core/store/write-private.ts": "the name of a temporary file, which must be free",
  "doors/page/browser/gantt.tsx": "in a browser: what runs at this moment ends now",
  "doors/page/browser/parts.tsx": "in a browser: how long ago something was",
  "doors/page/serve-page.ts": "the key of a page: nobody may guess it",
  "capabilities/workers/dispatcher.ts": "the clock of the queue's own timers",
  "capabilities/workers/move-run.ts": "tells one mover of a run from another",
  "capabilities/workers/server-leases.ts": "tells one holder of a lease from another",
  "capabilities/workers/worker.ts": "tells one worker from another",
  "capabilities/workflow/engine/local-engine.ts": "time limits of processes, counted from the times of files",
  "capabilities/workflow/runner/recover-attempts.ts": "the age of a file, which the system's clock dated",
  "capabilities/workflow/runner/send-signal.ts": "the id of a signal: none that a sender gives may equal it",
  "capabilities/workflow/runner/run-id.ts": "two runs that start in the same second need different names",
};

/** Files that may start a process, each with what it starts. Only the first starts git. */
const MAY_START_PROCESSES: Record<string, string> = {
  "work/capture/git/run-git.ts": "git, so that nothing of a repository's config runs or leads it elsewhere",
  "work/capture/collectors/run-collector.ts": "the programs that a person accepted as collectors",
  "doors/command/commands/ui.ts": "the browser that opens the page",
  "doors/command/show-paged.ts": "the pager of the person, for what is longer than the terminal",
  "doors/command/ui/resume-run.ts": "this command, to resume a run from the page",
  "capabilities/governance/exec/run-command.ts": "the command that `checkpoint exec` was given",
  "work/project/known-node.ts": "the Node that the launcher would use",
  "work/machine/system-processes.ts": "ps, where there is no /proc",
  "capabilities/workflow/engine/finish-attempt.ts": "the `verify` command of a step",
  "capabilities/workflow/engine/local-engine.ts": "the command of a step",
  "capabilities/workflow/engine/process-identity.ts": "ps, where there is no /proc",
  "capabilities/chaos/processes.ts": "this command, as a runner or a worker that is killed",
  "capabilities/chaos/invariants.ts": "the invariants of a chaos test that are commands",
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
describe("architecture", () => {
  it("has imports that go downwards only", () => {
    const wrong = product.flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter((target) => floorOf(name) < floorOf(target))
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has rooms and capabilities that import what the tables say", () => {
    const wrong = product.flatMap(({ name, text }) =>
      importsOf(name, text)
        .filter((target) => floorOf(name) === floorOf(target) && !mayImport(name, target))
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("names each floor, room and capability that there is, and no other", () => {
    const there = (floor: string) =>
      [
        ...new Set(
          product.filter(({ name }) => name.startsWith(`${floor}/`)).map(({ name }) => roomOf(name)),
        ),
      ].toSorted();
    expect([...new Set(files.map(({ name }) => name.split("/")[0] ?? ""))].toSorted()).toEqual(
      [...FLOORS, "testing"].toSorted(),
    );
    for (const [floor, rooms] of Object.entries(ROOMS))
      expect(there(floor)).toEqual(Object.keys(rooms).toSorted());
    expect(there("capabilities").filter((room) => room !== "list")).toEqual(Object.keys(NEEDS).toSorted());
  });

  it("has suites that no floor imports: only tests do", () => {
    const wrong = product.filter(
      ({ name, text }) =>
        !name.startsWith("testing/") && importsOf(name, text).some((target) => target.startsWith("testing/")),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("has capabilities that import each other that they need", () => {
    const imported = (capability: string) =>
      product
        .filter(({ name }) => name.startsWith(`capabilities/${capability}/`))
        .flatMap(({ name, text }) => importsOf(name, text))
        .filter((target) => target.startsWith("capabilities/"))
        .map(roomOf)
        .filter((other) => other !== capability);
    for (const [capability, needs] of Object.entries(NEEDS))
      expect([capability, ...[...new Set(imported(capability))].toSorted()]).toEqual([capability, ...needs]);
  });

  it("has entries of capabilities that load their table of verbs alone: every command loads them", () => {
    const wrong = product
      .filter(({ name }) => name.endsWith("/capability.ts") && name.startsWith("capabilities/"))
      .flatMap(
        ({ name, text }) =>
          text.match(/^import (?!type\b)(?!.*"\.\/verbs\.ts").*/gm)?.map((line) => `${name}: ${line}`) ?? [],
      );
    expect(wrong).toEqual([]);
  });

  it("has no cycles between rooms, and none between capabilities", () => {
    for (const table of [...Object.values(ROOMS), NEEDS])
      expect(
        cyclesOf(Object.entries(table).flatMap(([from, all]) => all.map((to): Import => [from, to]))),
      ).toEqual([]);
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

  it("touches process, console and environment in the command only", () => {
    const touching = product.filter(({ text }) => PROCESS.test(text.replaceAll(COMMENT, "")));
    const wrong = touching.filter(
      ({ name }) => !name.startsWith("doors/command/") && !(name in MAY_TOUCH_PROCESS),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("gets clock and chance passed in", () => {
    const asking = product.filter(({ text }) => CLOCK_OR_CHANCE.test(text.replaceAll(COMMENT, "")));
    const below = asking.map(({ name }) => name).filter((name) => !name.startsWith("doors/command/"));
    expect(below.toSorted()).toEqual(Object.keys(MAY_ASK_CLOCK_OR_CHANCE).toSorted());
  });

  it("needs zod for policy files alone: verbs are described in plain data", () => {
    const needing = product.filter(({ text }) => /["']zod(?:\/[^"']*)?["']/.test(text));
    expect(needing.map(({ name }) => name)).toEqual(["capabilities/governance/policy/schema.ts"]);
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
      .filter(({ name }) => !name.startsWith("doors/page/browser/"))
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

/** How high a file stands; the suites stand beside the floors and may import the lower three. */
function floorOf(name: string): number {
  const floor = FLOORS.indexOf(name.split("/")[0] as (typeof FLOORS)[number]);
  return floor < 0 ? FLOORS.length : floor;
}

/** `core/store/sqlite.ts` belongs to `store`, `core/errors.ts` to `errors`. */
function roomOf(name: string): string {
  return name.split("/")[1]?.replace(/(\.test)?\.ts$/, "") ?? "";
}

function mayImport(from: string, to: string): boolean {
  const [floor = ""] = from.split("/");
  const table = floor === "capabilities" ? NEEDS : ROOMS[floor];
  if (from === "capabilities/list.ts") return to.endsWith("/capability.ts");
  return (
    table === undefined || roomOf(from) === roomOf(to) || (table[roomOf(from)] ?? []).includes(roomOf(to))
  );
}

type Import = readonly [from: string, to: string];

/** What is left when those that import nothing, or that nothing imports, are taken away until all others do both. */
function cyclesOf(imports: readonly Import[]): string[] {
  const importing = new Set(imports.map(([from]) => from));
  const imported = new Set(imports.map(([, to]) => to));
  const left = imports.filter(([from, to]) => imported.has(from) && importing.has(to));
  if (left.length < imports.length) return cyclesOf(left);
  return [...new Set(left.map(([from, to]) => `${from} imports ${to}`))].toSorted();
}
