import { execFileSync } from "node:child_process";
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
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseWorkflow } from "../src/capabilities/workflow/definition/load-workflow.ts";
import { Sandbox } from "./cli/support/sandbox.ts";

const root = join(import.meta.dirname, "..");

interface Sample {
  readonly file: string;
  readonly language: string;
  readonly text: string;
}

/** What is generated, checked byte by byte, or run as one walk-through by a test of its own is left to that. */
const ELSEWHERE = ["docs/reference/commands.md", "docs/reference/format.md", "docs/governance.md"];
const DOCUMENTS = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
const samples = ["README.md", ...DOCUMENTS.map((name) => `docs/${name}`)]
  .filter((file) => file.endsWith(".md") && !ELSEWHERE.includes(file))
  .flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
      ([, language = "", text = ""]): Sample => ({ file, language, text }),
    ),
  );

/** Samples that cannot be run here, by something that stands in them, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "npm start": "runs this very test",
  "npm pack": "installs globally; the packed package is installed and used in tests/cli/packages.test.ts",
  "npm test -- faults": "runs tests",
  "gpt-tokenizer": "a package that is not installed here",
  "@mastra/core": "a package that is not installed here; tests/mastra has the same with the real one",
  "@anthropic-ai/claude-agent-sdk": "talks to a model; tests/adapters has the same with the SDK's own store",
  "@openai/agents": "talks to a model; tests/adapters has the same with the SDK's own runner",
  "class MyStore": "a sketch: its database is the reader's; examples/store is a whole one",
  openMyStore: "the reader's own store; tests/store/suite.test.ts runs the suite",
  "checkpoint import claude":
    "needs transcripts; tests/cli/examples.test.ts runs the same commands with some",
  CHECKPOINT_STORE: "needs a PostgreSQL server; tests/postgres/commands.test.ts runs the same with one",
  "s3://bucket": "needs a bucket; tests/remote/commands.test.ts runs the same with one",
  "checkpoint backup restore": "runs where there is no store; so does tests/remote/commands.test.ts",
  CHECKPOINT_CACHE: "needs a Redis server; tests/remote/cache.test.ts runs the same with one",
  CAIRN_TEST_PG: "installs PostgreSQL and runs tests",
  "checkpoint schedule run": "works until Ctrl-C; tests/cli/schedule.test.ts runs it",
  "checkpoint worker": "works until Ctrl-C; tests/postgres/workers.test.ts runs it",
  "checkpoint ui": "serves until Ctrl-C; tests/web runs it",
  "checkpoint bugs show 1": "needs a check that failed; tests/bugs has some",
  "assert.equal(1 + 1": "fails on purpose; tests/bugs/walk-through.test.ts follows the whole page",
  "name: check": "the same",
  "name: deploy": "the same",
  "checkpoint run deploy.yaml": "the same",
  "#1  2 min ago": "what a list of bugs looks like, not something to run",
  "commit 1a2b3c4d5  Retry once": "what an explanation looks like, not something to run",
  "checkpoint explain HEAD": "needs a repository; tests/explain has one",
  "approval --follow": "waits until Ctrl-C; tests/feed runs the same",
  "while read -r event": "calls a program of the reader's; tests/feed kills a consumer",
  'as: "deploy-bot"': "follows a store until it is stopped; tests/feed has one",
  'from "ai"': "a package that is not installed here; npm run test:peers has it",
  "new CairnSaver": "needs LangGraph's packages; npm run test:peers has them",
  importSqliteThreads: "the same",
  "order 7": "a part of examples/chaos; tests/chaos/command.test.ts runs all of it",
  "invariants:": "the same",
  "name: order": "the same",
  "chaos.yaml": "the same",
  "2 invariants broke": "what it prints, not something to run",
  "checkpoint files diff 3": "needs turns of an agent; tests/files has some",
  "decisions/3#0": "needs the id of a hit; tests/search has some",
  "npm install cairn-checkpoint ": "installs from the registry; npm run test:peers does the same with a packed one",
  "STEPS=100000": "the same",
  "──event──▶": "a drawing",
  "agent B ◀──": "the same",
  "session/a ●": "the same",
  "# Handoff": "what a handoff looks like, not something to run",
  "Logins take two seconds": "the same",
};

const reasonOf = ({ text }: Sample) => Object.entries(NOT_RUN).find(([part]) => text.includes(part))?.[1];
const inLanguage = (...languages: string[]) =>
  samples
    .filter((sample) => languages.includes(sample.language) && reasonOf(sample) === undefined)
    .map((sample) => [`${sample.file}: ${sample.text.split("\n")[0]}`, sample] as const);

describe("samples", () => {
  it("are all of a kind that is tried, or have a reason why not; and no reason is left over", () => {
    const tried = [...inLanguage("ts", "js", "yaml", "json", "sh", "")].map(([, sample]) => sample);
    expect(samples.filter((sample) => !tried.includes(sample) && reasonOf(sample) === undefined)).toEqual([]);
    expect(Object.keys(NOT_RUN).filter((part) => !samples.some(({ text }) => text.includes(part)))).toEqual(
      [],
    );
  });

  it.each(inLanguage("json"))("%s: is JSON", (_, { text }) => {
    for (const document of text.trim().split(/\n(?=\{)/))
      expect(() => void JSON.parse(document)).not.toThrow();
  });

  it.each(inLanguage("ts", "js"))("%s: runs as printed, and runs again", (_, { text }) => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-sample-"));
    try {
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(root, join(folder, "node_modules/cairn-checkpoint"), "junction");
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "sample", type: "module" }));
      writeFileSync(join(folder, "sample.ts"), text);
      // Twice in one process: loading the library takes longer than any of them.
      writeFileSync(
        join(folder, "twice.ts"),
        `await import("./sample.ts"); await import("./sample.ts?again");`,
      );
      const options = { cwd: folder, encoding: "utf8", timeout: 60_000 } as const;
      expect(() => void execFileSync(process.execPath, ["twice.ts"], options)).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("samples for the command", () => {
  let box: Sandbox;
  beforeEach(() => {
    box = new Sandbox();
  });
  afterEach(() => box.remove());

  const isConfig = (text: string) => !("steps" in (parse(text) as object));

  it.each(inLanguage("yaml").filter(([, { text }]) => isConfig(text)))(
    "%s: is a configuration",
    (_, { text }) => {
      box.write("cairn.yaml", text);
      box.run(["config", "--accept-collectors"]);
      expect(box.run(["config"])).toMatchObject({ status: 0, stderr: "" });
    },
  );

  it.each(inLanguage("yaml").filter(([, { text }]) => !isConfig(text)))(
    "%s: is a workflow",
    (_, { text }) => {
      box.write("release.yaml", "name: release\ninputs: { channel: }\nsteps: [{ id: one, run: 'true' }]\n");
      expect(parseWorkflow(text, { folder: box.folder }).steps.length).toBeGreaterThan(3);
    },
  );

  it.each(inLanguage("sh", ""))("%s: each line runs, twice", (_, { file, text }) => {
    // README starts from nothing, the other documents from a project with work in it.
    if (file !== "README.md") box.run(["now"]);
    const ask = "name: build-feature\ninputs: { feature: }\nsteps: [{ id: ship, approve: Ship it? }]\n";
    box.write("build-feature.yaml", ask);
    const agents = { completed_agents: ["planner"], current_agent: "planner" };
    const pipeline = { version: "2.0", workflow_id: "20251023_093456", ...agents };
    box.write(".claude/artifacts/20251023_093456/manifest.json", '{"request":"Add a login page"}');
    box.write(".claude/artifacts/20251023_093456/checkpoint.json", JSON.stringify(pipeline));
    box.write("pipeline.yaml", "name: pipeline\nsteps: [{ id: planner, run: 'true' }]\n");
    const lines = text.split("\n").filter((line) => line.startsWith("checkpoint "));
    expect(lines.length).toBeGreaterThan(0);
    // The run that the lines before have started.
    const named = (word: string) => (word === "RUN" ? String(newestRun(box)) : word.replaceAll('"', ""));
    const exitOf = (line: string) => {
      const words = line.replace(/ {2,}#.*$/, "").match(/"[^"]*"|\S+/g) ?? [];
      const { status, stderr } = box.run(words.slice(1).map(named));
      return { line, status, stderr };
    };
    // 4: it asks a person. The second time also 6: there is more than one, or it is over already.
    for (const line of lines) expect(exitOf(line)).toEqual(endingWith(line, 0, 4));
    for (const line of lines) expect(exitOf(line)).toEqual(endingWith(line, 0, 4, 6));
  });
});

const endingWith = (line: string, ...statuses: readonly number[]) => ({
  line,
  status: expect.toSatisfy((status: number) => statuses.includes(status)) as number,
  stderr: expect.any(String) as string,
});

const newestRun = (box: Sandbox) => (box.json("runs")["runs"] as { id: string }[])[0]?.id;
