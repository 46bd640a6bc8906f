import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readText } from "../corpus.ts";
import { atMost, type Bench, type Figure, info, type Row } from "../figure.ts";
import { bytesIn } from "../folders.ts";
import { Samples } from "../measure.ts";

const LAUNCHER = fileURLToPath(new URL("../../bin/checkpoint.js", import.meta.url));
const SESSION = "00000000-0000-4000-8000-000000000000";
const CALLS = 200;
/** Every so many events a plain start of Node is measured beside them. */
const FLOOR_EVERY = 4;
/** Most commands print little; every tenth prints more than is kept. */
const OUTPUT_CHARS = 1000;
const LARGE_CHARS = 20_000;
const LARGE_EVERY = 10;

/** A session of 200 tool calls, each an event that the command is started for, as in clients without other hooks. */
export const hooks: Figure = {
  name: "hooks",
  title: "checkpoint hook, started for each of 200 tool calls of a session",
  measure: async (bench: Bench) => {
    bench.progress.step("hook / node -e 0, a server is running");
    const withServer = await session(bench, { isServed: true });
    bench.progress.step("hook / node -e 0, alone");
    const alone = await session(bench, { isServed: false });
    const { bytes, rawBytes } = alone;
    const mega = (size: number) => `${(size / 1e6).toFixed(2)} MB`;
    return [
      ratio("checkpoint hook / node -e 0, with the MCP server that comes with the plugin", withServer, {
        must: 1.5,
        aim: 1.35,
      }),
      ratio("the same where no server runs", alone, { must: 2.2, aim: 2 }),
      atMost(
        "a session of 200 tool calls, store beyond raw new content",
        (bytes - rawBytes) / 1e6,
        { must: 2, aim: 0.5, unit: " MB" },
        `${mega(bytes)} stored, ${mega(rawBytes)} raw`,
      ),
      info(
        "store per tool call",
        `${(bytes / CALLS / 1000).toFixed(1)} kB`,
        `${CALLS} calls, ${OUTPUT_CHARS} characters of output, every tenth ${LARGE_CHARS}`,
      ),
    ];
  },
};

interface Session {
  readonly floor: Samples;
  readonly command: Samples;
  readonly bytes: number;
  readonly rawBytes: number;
}

async function session(
  { corpus, place, progress }: Bench,
  { isServed }: { isServed: boolean },
): Promise<Session> {
  const folder = place.newFolder();
  const [floor, command] = [new Samples(), new Samples()];
  const text = readText(corpus, LARGE_CHARS, 60);
  let rawBytes = 0;
  send(folder, { hook_event_name: "UserPromptSubmit", prompt: "Build the login page with tests" });
  const server = isServed ? await serve(folder) : undefined;
  for (let call = 0; call < CALLS; call++) {
    const tool_calls = batch(call, folder, text(call % LARGE_EVERY === 0 ? LARGE_CHARS : OUTPUT_CHARS));
    rawBytes += Buffer.byteLength(JSON.stringify(tool_calls));
    await command.time(() => send(folder, { hook_event_name: "PostToolBatch", tool_calls }));
    if (call % FLOOR_EVERY === 0) await floor.time(() => start(["-e", "0"], "/", ""));
    progress.at(call, CALLS);
  }
  await server?.end();
  checkSaved(folder);
  return { floor, command, rawBytes, bytes: bytesIn(join(folder, ".cairn")) };
}

function ratio(
  figure: string,
  { command, floor }: Session,
  limits: { readonly must: number; readonly aim: number },
): Row {
  const times = `${(command.p50 / 1000).toFixed(1)} ms / ${(floor.p50 / 1000).toFixed(1)} ms`;
  return atMost(figure, command.p50 / floor.p50, limits, times);
}

/** The server as a client starts it, once it takes events. */
async function serve(cwd: string): Promise<{ end: () => Promise<void> }> {
  const child = spawn(process.execPath, [LAUNCHER, "mcp"], { cwd, stdio: ["pipe", "ignore", "inherit"] });
  const ended = once(child, "exit");
  const socket = join(cwd, ".cairn/events.sock");
  for (let turns = 0; !existsSync(socket); turns++) {
    if (turns === 1000) throw new Error("The server takes no events.");
    await wait(10);
  }
  return {
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

function batch(call: number, cwd: string, output: string): object[] {
  const path = `${cwd}/src/part-${call % 40}.ts`;
  return [
    {
      tool_name: "Bash",
      tool_use_id: `toolu_b${call}`,
      tool_input: { command: `npm test -- part-${call % 40} 2>&1 | tail -n 40` },
      tool_response: { stdout: output, stderr: "", interrupted: false },
    },
    {
      tool_name: "Edit",
      tool_use_id: `toolu_e${call}`,
      tool_input: { file_path: path, old_string: "a", new_string: "b" },
      tool_response: { filePath: path },
    },
  ];
}

function send(cwd: string, event: object): void {
  const input = JSON.stringify({ session_id: SESSION, transcript_path: "/none.jsonl", cwd, ...event });
  start([LAUNCHER, "hook"], cwd, input);
}

function start(args: readonly string[], cwd: string, input: string): string {
  // With extra certificates some Nodes take longer to start, which would hide what is measured.
  const { NODE_EXTRA_CA_CERTS: _certificates, CLAUDE_PROJECT_DIR: _project, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, input, encoding: "utf8" });
  if (status !== 0 || stderr !== "")
    throw new Error(`${args.join(" ")} ended with status ${status}: ${stderr}`);
  return stdout;
}

/** A fast hook that saved nothing would prove nothing. */
function checkSaved(folder: string): void {
  const json = start([LAUNCHER, "load", "--trail", `session/${SESSION}`, "--json"], folder, "");
  const { files_touched, session } = JSON.parse(json) as {
    files_touched: string[];
    session: { calls_seen: string[] };
  };
  if (files_touched.length !== 40 || session.calls_seen.at(-1) !== `toolu_e${CALLS - 1}`)
    throw new Error("Not every event was saved.");
}
