import { join } from "node:path";
import { namesIn, personalFolder } from "../../machine/folders.ts";
import { readBounded } from "../../machine/read-bounded.ts";
import { capped } from "../../../core/text/shorten.ts";
import { asRecord, own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { commandOf } from "../events/read-calls.ts";
import { set } from "../reduce/set.ts";
import type { LineReader, TranscriptFormat, TranscriptSession } from "./transcript.ts";
import { textsOf, type TranscriptWork } from "./transcript-work.ts";

/** The rollouts of Codex: a file for each session, below the day that it was started; sub-agents are sessions that name a parent. */
export const CODEX: TranscriptFormat = {
  reader,
  find: findRollout,
};

export const ROLLOUT_NAME = /^rollout-.*?(?<id>[0-9a-f]{8}-[0-9a-f-]{27})\.jsonl(?:\.zst)?$/i;

/** Sessions of the last months; an older one is found by an import. */
const MOST_DAYS = 90;

function findRollout({ env, sessionId }: TranscriptSession): string | undefined {
  const folder = personalFolder(env, "CODEX_HOME", ".codex");
  if (folder === undefined) return undefined;
  const newestIn = (parent: string) =>
    namesIn(parent)
      .toReversed()
      .map((name) => join(parent, name));
  const days = newestIn(join(folder, "sessions")).flatMap(newestIn).flatMap(newestIn).slice(0, MOST_DAYS);
  for (const day of days) {
    const name = namesIn(day).find((each) => ROLLOUT_NAME.test(each) && each.endsWith(`${sessionId}.jsonl`));
    if (name !== undefined) return isOfPerson(join(day, name)) ? join(day, name) : undefined;
  }
  return undefined;
}

/** The first line names the session. It holds the model's instructions too, some 30 kB. */
const FIRST_LINE_BYTES = 2 ** 20;

/** What a sub-agent's rollout has in the user's name, a model wrote; so did that of one that Codex runs as an MCP server. */
function isOfPerson(path: string): boolean {
  const { bytes } = readBounded(path, FIRST_LINE_BYTES, "cut");
  const line = parseJson(bytes?.toString("utf8", 0, bytes.indexOf(10)) ?? "");
  const meta = textOf(line, "type") === "session_meta" ? own(line, "payload") : undefined;
  const source = own(meta, "source") ?? "";
  const isPlain = typeof source === "string" && source !== "mcp";
  return meta !== undefined && isPlain && textOf(meta, "parent_thread_id") === undefined;
}

function reader(work: TranscriptWork): LineReader {
  const { session } = work;
  /** Commands that outlasted their call, by the number of their terminal. */
  const running = new Map<string, string>();

  const readItem = (payload: unknown, at: string) => {
    const kind = textOf(payload, "type") ?? "";
    const id = textOf(payload, "call_id") ?? "";
    const tool = textOf(payload, "name") ?? "shell";
    if (kind === "message" && textOf(payload, "role") === "assistant")
      work.said(textsOf(own(payload, "content")), at);
    else if (kind === "function_call") {
      const input = parseJson(textOf(payload, "arguments") ?? "");
      // A command that outlasts its call ends in a later one, which asks for more of its output.
      const cmd = running.get(textOf(input, "session_id") ?? "");
      readCall(
        work,
        id,
        cmd === undefined ? { tool, input, at } : { tool: "exec_command", input: { cmd }, at },
      );
    } else if (kind === "custom_tool_call") readCall(work, id, { tool, input: own(payload, "input"), at });
    else if (kind === "local_shell_call") readCall(work, id, { tool, input: own(payload, "action"), at });
    else if (kind.endsWith("call_output")) {
      const [command, number] = [work.commandOf(id), STILL_RUNS.exec(textOf(payload, "output") ?? "")?.[1]];
      if (number !== undefined && command !== undefined) running.set(number, command);
      work.result(id, at, resultOf(own(payload, "output")));
    }
  };

  return (line, at) => {
    const [kind, payload] = [textOf(line, "type"), own(line, "payload")];
    // A fork's file begins with its own line, and may repeat that of its origin.
    if (kind === "session_meta") set(session, "cwd", session.cwd ?? textOf(payload, "cwd"));
    else if (kind === "turn_context") set(session, "model", textOf(payload, "model")?.slice(0, 100));
    else if (kind === "compacted") work.compacted(at);
    else if (kind === "response_item") readItem(payload, at);
    else if (kind === "event_msg") readEvent(work, payload, at);
  };
}

function readEvent(work: TranscriptWork, payload: unknown, at: string): void {
  const kind = textOf(payload, "type") ?? "";
  // Newer rollouts record what was said as items of a turn.
  const item = kind === "item_completed" ? own(payload, "item") : undefined;
  const itemKind = textOf(item, "type")?.replaceAll("_", "").toLowerCase();
  if (kind === "user_message") work.prompt(textOf(payload, "message"), at);
  else if (kind === "agent_message") work.said(textOf(payload, "message"), at);
  else if (itemKind === "usermessage") work.prompt(textsOf(own(item, "content")), at);
  else if (itemKind === "agentmessage") work.said(textsOf(own(item, "content")), at);
  else if (kind === "thread_goal_updated") readGoal(work, own(payload, "goal"));
  else if (/^(?:task|turn)_started$/.test(kind)) work.session.status = "running";
  else if (/^(?:task_complete|turn_complete|turn_aborted)$/.test(kind)) {
    work.said(textOf(payload, "last_agent_message"), at);
    work.session.status = "idle";
  }
}

function readGoal(work: TranscriptWork, told: unknown): void {
  const goal = textOf(told, "objective");
  if (goal !== undefined) work.goal = capped(goal, 4000);
}

function readCall(work: TranscriptWork, id: string, call: Parameters<TranscriptWork["call"]>[1]): void {
  const { tool, input } = call;
  if (tool === "spawn_agent")
    work.subagent(id, textOf(input, "agent_type", "agent_role"), textOf(input, "message", "task", "prompt"));
  if (tool === "create_goal") readGoal(work, input);
  // A patch may also come as a command: `apply_patch <<'EOF' …`.
  const command = commandOf(call) ?? "";
  work.call(id, /^\s*apply_patch\b/.test(command) ? { ...call, tool: "apply_patch", input: command } : call);
}

/** What a tool answered, in the form of the client's own hooks. */
function resultOf(output: unknown): { response: unknown; error?: string } {
  const text = typeof output === "string" ? output : (textOf(output, "content") ?? textsOf(output));
  const isRefused = own(output, "success") === false || REFUSED.test(text);
  if (isRefused) return { response: text, error: text };
  const ended = ENDED.exec(text)?.groups;
  if (ended !== undefined)
    return { response: { stdout: text.slice(ended["head"]?.length), exit_code: Number(ended["code"]) } };
  const parsed = parseJson(text);
  const metadata = asRecord(own(parsed, "metadata"));
  return { response: metadata === undefined ? text : { ...metadata, output: own(parsed, "output") } };
}

/** What stands before the output of a command that has ended. */
const ENDED =
  /^(?<head>(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?Process exited with code (?<code>-?\d+)\n(?:Original token count: .*\n)?(?:Output:\n)?)/;

/** What stands there as long as it runs. */
const STILL_RUNS = /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?Process running with session ID (\d+)/;

const REFUSED = /^(?:unsupported|failed|error|execution error|apply_patch verification failed)\b/i;
