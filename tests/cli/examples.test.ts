import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandSpec } from "../../src/work/verbs/spec.ts";
import { COMMANDS } from "../../src/doors/command/table.ts";
import { asText, claudeLines, claudePath, writeText } from "../transcripts/support/recordings.ts";
import { Sandbox } from "./support/sandbox.ts";

/** What cannot be tried here: it does not end by itself, or it would write into the home folder; */
const NOT_TRIED = [
  /^checkpoint watch /,
  /^checkpoint doctor --wait/,
  /^checkpoint ui/,
  /^checkpoint worker/,
  / --follow$/,
  // or it names an event, a hit, a suggestion, a schedule, a service, a step or a test that is not there: their own tests have them;
  /^checkpoint events ack CURSOR/,
  /^checkpoint search \S+#0/,
  /^checkpoint suggest dismiss \S+-[0-9a-f]{8}$/,
  /^checkpoint (signal|pause) /,
  /^checkpoint schedule (remove|run)/,
  /^checkpoint integrations (run|listen|test|resend)/,
  /^checkpoint metrics >/,
  /^checkpoint chaos chaos\.yaml/,
  / --watch$/,
  /> ~\//,
  /completion zsh/,
  // or it needs a database, a bucket, another disk, or a folder without a store: tests/postgres, tests/remote and tests/mirror have them.
  /^checkpoint store (copy|migrate)/,
  /^checkpoint resume .* --to /,
  /^checkpoint resume --failed/,
  /^checkpoint run .* --detach/,
  /^checkpoint config --accept-store/,
  /s3:\/\//,
  /file:\/\/\/mnt/,
  /^checkpoint (backup|mirror) restore/,
];

/** What ends otherwise than with 0: it found a difference, waits for a person, or does not know which one is meant. */
const STATUS: readonly (readonly [RegExp, number])[] = [
  [/--exit-code$/, 1],
  [/^checkpoint run --template /, 4],
  [/^checkpoint resume login-1 --redo /, 4],
  [/^checkpoint runs watch login-1/, 4],
  [/^checkpoint resume 20251023_093456 /, 4],
  [/^checkpoint resume$/, 6],
  [/^checkpoint rewind --undo$/, 3],
];

const BUILD = `name: build
inputs: { feature: { default: search } }
steps: [{ id: make, run: 'true' }]
`;
const LOGIN = `name: login
steps:
  - id: plan
    run: echo plan > plan.md
    outputs: [plan.md]
  - id: ship
    approve: Ship it?
`;

/** Stands for a client that may not be installed: a server that is added must start, and end when stdin does. */
const CLIENT = `#!/bin/sh
[ "$1 $2 $4" = "mcp add --" ] || exit 64
shift 4
exec "$@" < /dev/null
`;

const specs: readonly CommandSpec[] = Object.values(COMMANDS);
// Those about governance need agents, keys and requests: tests/governance tries them, and docs/governance.md is run.
const examples = specs
  .filter(({ group }) => group !== "governance")
  .flatMap(({ examples }) => examples.map(([command]) => command));
const readme = join(import.meta.dirname, "../../README.md");
const fromReadme = existsSync(readme) ? commandsIn(readFileSync(readme, "utf8")) : [];

let box: Sandbox;
beforeAll(() => {
  box = new Sandbox();
  // One checkpoint at eleven and some at twelve, as the ids in the examples say.
  box.run(["now", "--notes", "at eleven", "--var", "region", "eu"], {
    env: { CAIRN_TEST_NOW: "2026-01-23T11:30:00.000Z" },
  });
  const setUp = [
    ["block", "No access to the staging server"],
    ["constraint", "Never touch the production database"],
    ["constraint", "Ask before you deploy"],
    ["decide", "Use SQLite"],
    ["goal", "Ship the login page", "--trail", "session/0b6a9f0e"],
    ["constraint", "Never force-push", "--trail", "session/0b6a9f0e"],
    ["decide", "Use Postgres", "--trail", "session/0b6a9f0e"],
    ["phase", "start", "Bootstrapping"],
    ["task", "add", "One"],
    ["task", "add", "Two"],
    ["task", "start", "2"],
    ["tag", "before-migration"],
    ["fork", "--as", "trial"],
  ];
  for (const line of setUp) box.run(line, { env: { CAIRN_TEST_NOW: "2026-01-23T13:00:00.000Z" } });
  box.run(["set", "build", "42"], { env: { CAIRN_TEST_NOW: "2026-01-23T12:00:00.000Z" } });
  box.write("docs/design.md", "# Design\n");
  box.write("notes.md", "# Notes\n");
  box.write("out/a.json", "{}");
  box.write(
    "memory/state/phase.json",
    JSON.stringify({ current_phase: "ARCHITECTURE", phase_status: "in_progress" }),
  );
  box.run(["export", "--history", "--trail", "main", "--output", "main.cairn"]);
  box.write("build.yaml", BUILD);
  for (const name of ["report", "sync"])
    box.write(`${name}.yaml`, `name: ${name}\nsteps: [{ id: only, run: "true" }]\n`);
  box.write("login.yaml", LOGIN);
  box.write("options.yaml", LOGIN.replace("Ship it?", "{ question: Where to?, options: [alpha, beta] }"));
  const later = { env: { CAIRN_TEST_NOW: "2026-01-23T13:00:00.000Z" } };
  box.run(["run", "login.yaml", "--run-id", "login-1"], later);
  box.run(["run", "options.yaml", "--run-id", "login-2"], later);
  const pipeline = { version: "2.0", workflow_id: "20251023_093456", completed_agents: ["researcher"] };
  box.write("artifacts/checkpoint.json", JSON.stringify({ ...pipeline, current_agent: "planner" }));
  box.write("artifacts/manifest.json", '{"request":"Add a login page"}');
  box.run(["import", "artifacts/checkpoint.json"], later);
  box.write(
    "dev.yaml",
    "name: dev\nsteps: [{ id: researcher, run: 'true' }, { id: planner, run: 'true' }]\n",
  );
  writeText(claudePath(join(box.home, ".claude"), box.folder), asText(claudeLines(box.folder)));
  box.run(["import", "claude"], later);
  mkdirSync(join(box.home, "bin"));
  addProgram("checkpoint", `#!/bin/sh\nexec ${box.commandLine()} "$@"\n`);
  for (const client of ["claude", "codex"]) addProgram(client, CLIENT);
  box.run(["remote", "add", "origin", `file://${join(box.home, "remote")}`, "--encrypt"]);
  box.run(["push"]);
  box.write("src/login.ts", "// a line\n".repeat(42));
  runInShell(
    "git init -q && git add src && git -c user.name=a -c user.email=a@example.com commit -q -m Login",
    {},
  );
  // Files as of the first morning, and as of three turns of a session.
  const morning = { env: { CAIRN_TEST_NOW: "2026-01-23T11:40:00.000Z" } };
  box.run(["now", "--files", "--trail", "session/0b6a9f0e"], morning);
  for (const prompt of ["one", "two", "three"]) {
    const event = { hook_event_name: "UserPromptSubmit", session_id: "0b6a9f0e", cwd: box.folder, prompt };
    box.run(["hook", "--client", "claude"], { ...later, input: JSON.stringify(event) });
  }
  box.write("cairn.key", box.run(["key", "export"]).stdout);
  for (const folder of changing()) cpSync(folder, pristine(folder), { recursive: true });
  // A dozen commands, one after the other.
});
function addProgram(name: string, script: string): void {
  const file = join(box.home, "bin", name);
  writeFileSync(file, script);
  chmodSync(file, 0o755);
}
/** The project, and what is remembered about it: its remotes and their keys. */
const changing = () => [box.folder, join(box.home, ".local/state/cairn")];
const pristine = (folder: string) => join(box.home, "pristine", basename(folder));
afterAll(() => box.remove());

describe("every example works as it stands", () => {
  it.each(
    [...new Set([...examples, ...fromReadme])].filter(
      (line) => !NOT_TRIED.some((pattern) => pattern.test(line)),
    ),
  )("%s", (line) => {
    // In the place where it was made: a copy of a store elsewhere is a stranger, whose commands do not run.
    for (const folder of changing()) {
      rmSync(folder, { recursive: true });
      cpSync(pristine(folder), folder, { recursive: true });
    }
    const { folder } = box;
    // A copy brings the trail that main.cairn holds; an example that writes the file must not find it there.
    if (line.includes("--output main.cairn")) spawnSync("rm", [join(folder, "main.cairn")]);
    const env = { PATH: `${join(box.home, "bin")}:${process.env["PATH"]}` };
    const { status, stderr } = isSimple(line) ? box.run(wordsOf(line), { env }) : runInShell(line, env);
    const expected = STATUS.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
    expect({ status, stderr: status === expected ? "" : stderr }).toEqual({ status: expected, stderr: "" });
  });
});

/** Whether a line is one command and nothing for a shell to do but to split it into words. */
function isSimple(line: string): boolean {
  return /^checkpoint [^|<>;&$`]*$/.test(line);
}

/** As a shell splits them. */
function wordsOf(line: string): string[] {
  return runInShell(line.replace(/^checkpoint/, "printf '%s\\0'"))
    .stdout.split("\0")
    .slice(0, -1);
}

function runInShell(line: string, env: Readonly<Record<string, string>> = {}) {
  return spawnSync("bash", ["-c", line], {
    cwd: box.folder,
    env: box.environment(env),
    encoding: "utf8",
    timeout: 60_000,
  });
}

/** The lines of a document's shell blocks that begin with `checkpoint`, without their comments. */
function commandsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/```(?:sh|bash|console)\n([\s\S]*?)```/g)].map(
    ([, block]) => block ?? "",
  );
  const lines = blocks
    .flatMap((block) => block.split("\n"))
    .map((line) => line.replace(/^\$ /, "").replace(/\s+#.*$/, ""));
  return lines.filter((line) => line.startsWith("checkpoint "));
}
