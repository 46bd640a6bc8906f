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

/** What the client says in the user's name: its surroundings and the project's instructions. */
const NOT_TYPED = /^\s*(?:<|# AGENTS\.md instructions)/;
const MOST_MESSAGES = 50;

/** The lines have a kind and a payload. */
function reader(work: TranscriptWork): LineReader {
  const { session } = work;
  /** Messages in the user's name, some of them by the client; only used when no line says what was really typed. */
  const asUser: { text: string; at: string }[] = [];
  let hasPrompts = false;
  /** Commands that outlasted their call, by the number of their terminal; and the calls that wait for one of them. */
  const running = new Map<string, string>();
  const calls = new Map<string, string>();

  /** A command that outlasts its call ends in a later one, which asks for more of its output. */
  const follow = (payload: unknown): unknown => {
    const id = textOf(payload, "call_id") ?? "";
    if (textOf(payload, "type") === "function_call") {
      const args = parseJson(textOf(payload, "arguments") ?? "");
      const cmd = textOf(args, "cmd") ?? running.get(textOf(args, "session_id") ?? "");
      if (cmd === undefined) return payload;
      calls.set(id, cmd);
      return textOf(args, "cmd") !== undefined
        ? payload
        : { ...asRecord(payload), name: "exec_command", arguments: JSON.stringify({ cmd }) };
    }
    const number = STILL_RUNS.exec(textOf(payload, "output") ?? "")?.groups?.["number"];
    if (number !== undefined && calls.has(id)) running.set(number, calls.get(id)!);
    calls.delete(id);
    return payload;
  };

  const prompt = (text: string | undefined, at: string) => {
    if (!text?.trim()) return;
    hasPrompts = true;
    work.prompt(text, at);
  };
  const message = (payload: unknown, at: string) => {
    const [role, text] = [textOf(payload, "role"), textsOf(own(payload, "content"))];
    if (role === "assistant") work.said(text, at);
    else if (role === "user" && text.trim() !== "" && !NOT_TYPED.test(text) && asUser.length < MOST_MESSAGES)
      asUser.push({ text, at });
  };
  return {
    read: (line, at) => {
      const kind = textOf(line, "type");
      const payload = own(line, "payload");
      const about = textOf(payload, "type") ?? "";
      if (kind === "session_meta") readMeta(work, payload);
      else if (kind === "turn_context") set(session, "model", textOf(payload, "model")?.slice(0, 100));
      else if (kind === "compacted") session.compactions = (session.compactions ?? 0) + 1;
      else if (kind === "response_item" && about === "message") message(payload, at);
      else if (kind === "response_item") readItem(work, follow(payload), at);
      else if (kind !== "event_msg") return;
      else if (about === "user_message") prompt(textOf(payload, "message"), at);
      else if (about === "item_completed") {
        // Newer rollouts record what was said as items of a turn.
        const item = own(payload, "item");
        const itemKind = (textOf(item, "type") ?? "").replaceAll("_", "").toLowerCase();
        if (itemKind === "usermessage") prompt(textsOf(own(item, "content")), at);
        else if (itemKind === "agentmessage") work.said(textsOf(own(item, "content")), at);
      } else readEvent(work, payload, at);
    },
    end: () => {
      if (hasPrompts) return;
      const { status } = session;
      for (const { text, at } of asUser) work.prompt(text, at, { isDoubtful: true });
      session.status = status;
    },
  };
}

function readMeta({ session }: TranscriptWork, payload: unknown): void {
  // A fork's file begins with its own line, and may repeat that of its origin.
  set(session, "cwd", session.cwd ?? textOf(payload, "cwd"));
  set(session, "branch", session["branch"] ?? textOf(own(payload, "git"), "branch"));
  set(session, "parent_id", session["parent_id"] ?? textOf(payload, "parent_thread_id"));
  set(session, "client_version", session["client_version"] ?? textOf(payload, "cli_version")?.slice(0, 60));
}

function readEvent(work: TranscriptWork, payload: unknown, at: string): void {
  const kind = textOf(payload, "type") ?? "";
  const { session } = work;
  if (kind === "agent_message") work.said(textOf(payload, "message"), at);
  else if (kind === "task_started" || kind === "turn_started") session.status = "running";
  else if (kind === "task_complete" || kind === "turn_complete") {
    work.said(textOf(payload, "last_agent_message"), at);
    session.status = "idle";
  } else if (kind === "turn_aborted") session.status = "idle";
  else if (kind === "thread_goal_updated") readGoal(work, own(payload, "goal"));
  else if (kind === "token_count") {
    const tokens = own(own(own(payload, "info"), "total_token_usage"), "total_tokens");
    if (Number.isSafeInteger(tokens))
      session["tokens"] = Math.max(session["tokens"] as number, tokens as number);
  }
}

function readGoal(work: TranscriptWork, told: unknown): void {
  const goal = textOf(told, "objective");
  if (goal !== undefined) work.goal = capped(goal, 4000);
}

function readItem(work: TranscriptWork, payload: unknown, at: string): void {
  const kind = textOf(payload, "type");
  if (kind === "function_call")
    readCall(work, payload, { input: parseJson(textOf(payload, "arguments") ?? ""), at });
  else if (kind === "custom_tool_call") readCall(work, payload, { input: own(payload, "input"), at });
  else if (kind === "local_shell_call") readCall(work, payload, { input: own(payload, "action"), at });
  else if (kind === "function_call_output" || kind === "custom_tool_call_output")
    work.result(textOf(payload, "call_id") ?? "", at, resultOf(own(payload, "output")));
}

function readCall(
  work: TranscriptWork,
  payload: unknown,
  { input, at }: { readonly input: unknown; readonly at: string },
): void {
  const tool = textOf(payload, "name") ?? "shell";
  const id = textOf(payload, "call_id");
  if (id === undefined) return;
  if (tool === "spawn_agent")
    work.subagent(id, {
      type: textOf(input, "agent_type", "agent_role"),
      task: textOf(input, "message", "task", "prompt") ?? "",
    });
  if (tool === "create_goal") readGoal(work, input);
  // A patch may also come as a command: `apply_patch <<'EOF' …`.
  const command = commandOf({ tool, input }) ?? "";
  const isPatch = /^\s*apply_patch\b/.test(command);
  work.call(id, isPatch ? { tool: "apply_patch", input: command, at } : { tool, input, at });
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
const STILL_RUNS = /^(?:Chunk ID: .*\n)?(?:Wall time: .*\n)?Process running with session ID (?<number>\d+)/;

const REFUSED = /^(?:unsupported|failed|error|execution error|apply_patch verification failed)\b/i;
