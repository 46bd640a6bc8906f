import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";

import { readImport } from "../../src/work/import/read-import.ts";
import { readTrailFile } from "../../src/core/trails/transfer/read-trail-file.ts";
import { exportTrail } from "../../src/core/trails/transfer/export-trail.ts";
import { findCommand, parseOptions } from "../../src/doors/command/parse.ts";
import { openCairn } from "../../src/doors/library/index.ts";
import { receive } from "../../src/doors/mcp/take-events.ts";
import { WholeLines } from "../../src/doors/mcp/whole-lines.ts";
import { linksOf, parseObject } from "../../src/core/objects/object-format.ts";
import { readConfigFile } from "../../src/work/project/settings/config-file.ts";
import { emptyWorkState } from "../../src/work/state/work-state.ts";
import { recognise } from "../../src/work/sessions/events/hook-event.ts";
import { createRedactor } from "../../src/core/redaction/redactor.ts";
import { readContent } from "../../src/work/sessions/events/read-content.ts";
import { readPayload } from "../../src/work/sessions/events/read-payload.ts";
import { withoutSecrets } from "../../src/work/sessions/events/without-secrets.ts";
import { reduce } from "../../src/work/sessions/reduce/reduce.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import { parseWorkflow } from "../../src/capabilities/workflow/definition/load-workflow.ts";
import { parseProgress } from "../../src/work/progress/parse-progress.ts";
import { governanceTargets } from "../support/fuzz-governance.ts";
import { mcpTarget } from "../support/fuzz-mcp.ts";
import { remoteTargets } from "../support/fuzz-remote.ts";
import { fuzz, type Target } from "../support/fuzzing.ts";
import { atLeast, none, number, type Part, type World } from "../support/part.ts";

const root = resolve(import.meta.dirname, "../..");
const NOW = new Date(0);

export const fuzzing: Part = {
  name: "fuzz",
  about: "changed inputs for the parsers of what others write",
  proves: [
    "src/core/objects",
    "src/core/trails",
    "src/work/sessions",
    "src/capabilities/governance",
    "src/capabilities/sync",
    "src/capabilities/workflow/definition",
    "src/work/progress",
    "src/work/project/settings",
    "src/doors/mcp",
    "src/doors/command/parse.ts",
  ],
  run: async (world) => {
    const count = world.isQuick ? 500 : 1_000_000;
    const done = new Set((world.recall() as string[] | undefined) ?? []);
    const targets = await targetsIn(world);
    for (const target of targets) {
      if (done.has(target.name)) continue;
      const { accepted, problems } = await fuzz(world, target, count);
      none(problems, "a crash, a hang or an error without a name");
      // A parser that refuses everything was never really entered.
      atLeast(count / 1000, accepted, `accepted inputs for ${target.name}`);
      done.add(target.name);
      world.keep([...done]);
    }
    return [
      {
        fault: `changed inputs for each parser: ${targets.map(({ name }) => name).join(", ")}`,
        count: `${number(count)} each, ${number(count * targets.length)} in all`,
        outcome: "0 crashes, 0 hangs (over 100 ms of processor time), 0 errors without a name",
      },
    ];
  },
};

async function targetsIn(world: World): Promise<Target[]> {
  const { objects, trail } = await samples();
  const config = join(world.memory, "cairn.yaml");
  const workflow = readFileSync(join(root, "templates/phase-gated.yaml"), "utf8");
  const request = { version: "0.1.0", id: "e1", cwd: "/", env: { HOME: "/" }, parentPid: 1, bytes: 2 };
  return [
    { name: "objects", seeds: objects, parse: (input) => [parseObject(input), linksOf(input)] },
    {
      name: "trail files",
      seeds: [trail],
      parse: async (input) => drain(readTrailFile(chunks(input), "fuzz")),
    },
    {
      name: "documents",
      seeds: [
        '{"checkpoint_id":"x","tasks":[{"id":"1","subject":"a","status":"pending"}]}',
        '{"phase":"design","status":"in_progress"}',
      ],
      parse: (input) => readImport(input.toString("utf8"), { source: "fuzz", now: NOW, trust: false }),
    },
    {
      name: "progress files",
      seeds: [
        "---\nfeature: login\nagent: ada\nphase: design\nstatus: in_progress\nlast_action: x\nupdated: 2026-02-14T10:30:00Z\n---\n\n- [10:30] x\n",
      ],
      parse: (input) => parseProgress(input.toString("utf8"), "login-ada.md"),
    },
    {
      name: "workflows",
      seeds: [workflow.slice(0, 500), "name: a\nsteps:\n  - id: b\n    run: echo\n"],
      parse: (input) => parseWorkflow(input.toString("utf8")),
    },
    {
      name: "config",
      seeds: [
        readFileSync(join(root, "templates/cairn.yaml"), "utf8").slice(0, 800),
        "keep: 5\nplan: a.md\ndependencies:\n  - name: a\n    endpoint: http://localhost\n",
      ],
      parse: (input) => {
        writeFileSync(config, input);
        let isWrong = false;
        const settings = readConfigFile(config, "project", () => (isWrong = true));
        return isWrong ? undefined : settings;
      },
    },
    {
      name: "arguments",
      seeds: ["now\n--notes\nx\n--json", "list\n--limit\n5\n-q", "run\nf.yaml\n--input\na=b"],
      parse: parseArguments,
    },
    { name: "hook payloads", seeds: HOOKS.map((hook) => JSON.stringify(hook)), parse: parseHook },
    {
      name: "socket messages",
      seeds: [`${JSON.stringify(request)}\n{}`],
      parse: async (input) => receive(Readable.from([input.subarray(0, 20), input.subarray(20)]) as never),
    },
    {
      name: "MCP lines",
      seeds: ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}\n{"jsonrpc":"2.0","method":"x"}\n'],
      parse: async (input) =>
        drain(
          Readable.from([input.subarray(0, 9), input.subarray(9)]).pipe(new WholeLines(200, () => undefined)),
        ),
    },
    await mcpTarget(),
    ...(await remoteTargets()),
    ...(await governanceTargets(world)),
  ];
}

function parseArguments(input: Buffer): unknown {
  const words = input.toString("utf8").split("\n");
  const found = findCommand(words);
  return found && parseOptions(found.name, found.rest);
}

async function samples(): Promise<{ objects: string[]; trail: string }> {
  const store = await openMemoryStore();
  const cairn = await openCairn({ store, now: () => NOW });
  const { content_hash } = await cairn
    .trail<object>("main", { initial: {} })
    .commit({ a: [1, "b"], c: "x".repeat(5000) });
  const parts: string[] = [];
  for await (const part of exportTrail(store, "main")) parts.push(part);
  const trail = parts.join("");
  const checkpoint = (await store.readObjects([content_hash])).get(content_hash);
  return { objects: [Buffer.from(checkpoint ?? []).toString("utf8"), 'V\n{"a":1}', 'V 0\n"x"'], trail };
}

async function* chunks(input: Buffer): AsyncGenerator<Uint8Array> {
  yield input.subarray(0, 100);
  yield input.subarray(100);
}

async function drain(items: AsyncIterable<unknown>): Promise<true> {
  for await (const item of items) void item;
  return true;
}

const SENT = { session_id: "5f3a", cwd: "/", transcript_path: "/nowhere" };
const HOOKS: readonly object[] = [
  { ...SENT, hook_event_name: "UserPromptSubmit", prompt: "Build it" },
  {
    ...SENT,
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "npm test -- --token x" },
    tool_response: { stdout: "1 failed", exit_code: 1 },
  },
  {
    ...SENT,
    hook_event_name: "PostToolUse",
    tool_name: "TodoWrite",
    tool_input: { todos: [{ id: "1", content: "Test", status: "in_progress" }] },
  },
  { ...SENT, hook_event_name: "PreCompact", trigger: "auto" },
  { ...SENT, hook_event_name: "SubagentStop", agent_id: "a1", agent_type: "tester" },
  { ...SENT, hook_event_name: "Stop", last_assistant_message: "done" },
];

/** All that is done with an event, up to the state that would be saved. */
function parseHook(input: Buffer): unknown {
  const { fields } = readPayload(input);
  const hook = fields && recognise(fields, { client: undefined, env: {} });
  if (hook === undefined || "ignored" in hook) return undefined;
  const content = withoutSecrets(readContent(hook, { root: "/", env: {}, folder: "/" }), createRedactor());
  const state = emptyWorkState();
  reduce(state, { id: "e1", at: NOW.toISOString(), hook, content });
  return state;
}
