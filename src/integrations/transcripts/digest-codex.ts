import { filesOf } from "../../sessions/events/read-calls.ts";
import { cut } from "../../text/cut.ts";
import { parseJson } from "../../text/untrusted.ts";
import { LIMITS, type LineReader } from "./digest.ts";
import { clipped, countAt, fieldOf, listAt, momentAt, textAt } from "./fields.ts";
import type { DigestBuilder } from "./digest-builder.ts";

const KNOWN_KINDS = new Set(
  "world_state token_usage_record security_risk_score inter_agent_communication inter_agent_communication_metadata".split(
    " ",
  ),
);

/** What the client says in the user's name: its surroundings and the project's instructions. */
const NOT_TYPED = /^\s*(?:<|# AGENTS\.md instructions)/;

/** Reads a rollout of Codex: lines of a kind and its payload. */
export class CodexReader implements LineReader {
  readonly #digest: DigestBuilder;
  /** Messages in the user's name; only asked for when no line says what was really typed. */
  readonly #asUser: { text: string; at: string | undefined }[] = [];
  #hasPrompts = false;

  constructor(digest: DigestBuilder) {
    this.#digest = digest;
  }

  read(line: unknown): void {
    const kind = textAt(line, "type") ?? "without a type";
    const payload = fieldOf(line, "payload");
    const at = momentAt(line, "timestamp");
    this.#digest.line(at);
    if (kind === "session_meta") this.#meta(payload);
    else if (kind === "turn_context") this.#turnContext(payload);
    else if (kind === "response_item") this.#item(payload, at);
    else if (kind === "event_msg") this.#event(payload, at);
    else if (kind === "compacted") this.#digest.compactions++;
    else if (!KNOWN_KINDS.has(kind)) this.#digest.unknownKind(kind);
  }

  end(): void {
    if (this.#hasPrompts) return;
    const { lastTurn } = this.#digest;
    for (const { text, at } of this.#asUser) this.#digest.prompt(text, at);
    this.#digest.lastTurn = lastTurn;
  }

  #meta(payload: unknown): void {
    const { facts } = this.#digest;
    // A fork's file begins with its own line, and may repeat that of its origin.
    facts.cwd ??= textAt(payload, "cwd");
    facts.branch ??= textAt(payload, "git", "branch");
    facts.parentId ??= textAt(payload, "parent_thread_id");
    facts.clientVersion ??= cut(textAt(payload, "cli_version") ?? "", 60) || undefined;
  }

  #turnContext(payload: unknown): void {
    const model = textAt(payload, "model");
    if (model !== undefined) this.#digest.facts.model = cut(model, 100);
  }

  #event(payload: unknown, at: string | undefined): void {
    const kind = textAt(payload, "type") ?? "";
    if (kind === "user_message") this.#prompt(textAt(payload, "message"), at);
    else if (kind === "agent_message") this.#said(textAt(payload, "message"));
    else if (kind === "item_completed") this.#turnItem(fieldOf(payload, "item"), at);
    else if (kind === "task_started" || kind === "turn_started") this.#digest.lastTurn = "open";
    else if (kind === "task_complete" || kind === "turn_complete") {
      this.#said(textAt(payload, "last_agent_message"));
      this.#digest.lastTurn = "finished";
    } else if (kind === "turn_aborted") this.#digest.lastTurn = "interrupted";
    else if (kind === "thread_goal_updated") this.#goal(textAt(payload, "goal", "objective"));
    else if (kind === "token_count")
      this.#digest.tokens = Math.max(
        this.#digest.tokens,
        countAt(payload, "info", "total_token_usage", "total_tokens"),
      );
  }

  /** Newer rollouts record what was said as items of a turn. */
  #turnItem(item: unknown, at: string | undefined): void {
    const kind = (textAt(item, "type") ?? "").replaceAll("_", "").toLowerCase();
    if (kind === "usermessage") this.#prompt(textsOf(item), at);
    else if (kind === "agentmessage") this.#said(textsOf(item));
  }

  #prompt(text: string | undefined, at: string | undefined): void {
    if (text === undefined || text.trim() === "") return;
    this.#hasPrompts = true;
    this.#digest.prompt(text, at);
  }

  #said(text: string | undefined): void {
    if (text === undefined || text.trim() === "") return;
    this.#digest.message(text);
    this.#digest.action("answered");
  }

  #goal(text: string | undefined): void {
    if (text !== undefined) this.#digest.facts.goal = cut(text, LIMITS.promptChars);
  }

  #item(payload: unknown, at: string | undefined): void {
    const kind = textAt(payload, "type");
    if (kind === "message") this.#message(payload, at);
    else if (kind === "function_call") this.#call(payload, parseJson(textAt(payload, "arguments") ?? ""), at);
    else if (kind === "custom_tool_call") this.#call(payload, textAt(payload, "input"), at);
    else if (kind === "local_shell_call") this.#call(payload, fieldOf(payload, "action"), at);
    else if (kind === "function_call_output" || kind === "custom_tool_call_output") this.#output(payload, at);
  }

  #message(payload: unknown, at: string | undefined): void {
    const text = textsOf(payload);
    if (text.trim() === "") return;
    const role = textAt(payload, "role");
    if (role === "assistant") this.#said(text);
    else if (role === "user" && !NOT_TYPED.test(text) && this.#asUser.length < LIMITS.prompts)
      this.#asUser.push({ text, at });
  }

  #call(payload: unknown, input: unknown, at: string | undefined): void {
    const tool = textAt(payload, "name") ?? "shell";
    const words = commandWords(input);
    const patch =
      textAt(input, "input") ?? textAt(input, "patch") ?? (typeof input === "string" ? input : "");
    const paths = filesOf({
      tool: "apply_patch",
      input: tool === "apply_patch" ? patch : patchInShell(words),
    });
    const isCommand = words.length > 0 && paths.length === 0;
    const command = isCommand ? this.#digest.command(words, at) : undefined;
    const id = textAt(payload, "call_id");
    this.#digest.action(`${tool} ${isCommand ? words.join(" ") : paths.join(" ")}`.trim());
    if (id === undefined) return;
    if (tool === "spawn_agent")
      this.#digest.subagent(id, {
        task: clipped(textAt(input, "message") ?? textAt(input, "task") ?? textAt(input, "prompt"), 500),
        type: clipped(textAt(input, "agent_type") ?? textAt(input, "agent_role"), 100),
      });
    this.#digest.openCall(id, { tool, input, command, paths });
  }

  #output(payload: unknown, at: string | undefined): void {
    const ok = succeeded(fieldOf(payload, "output"));
    this.#digest.closeCall(textAt(payload, "call_id"), ok, { response: undefined, at });
  }
}

/** The words of a command, in any of the forms in which the shell tools take it. */
function commandWords(input: unknown): string[] {
  const list = fieldOf(input, "command");
  if (Array.isArray(list)) return list.filter((word) => typeof word === "string");
  const text = textAt(input, "cmd") ?? textAt(input, "command");
  return text === undefined ? [] : ["bash", "-lc", text];
}

/** A patch may also come as a command: `apply_patch <<'EOF' …`. */
function patchInShell(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return /^\s*apply_patch\b/.test(last) || words[0] === "apply_patch" ? last : "";
}

/** Whether a tool's output says that it went well; null when it does not say. */
function succeeded(output: unknown): boolean | null {
  const said = fieldOf(output, "success");
  if (typeof said === "boolean") return said;
  const text =
    typeof output === "string" ? output : (textAt(output, "content") ?? textsOf({ content: output }));
  if (/^(?:unsupported|failed|error|execution error|apply_patch verification failed)\b/i.test(text))
    return false;
  const code = fieldOf(parseJson(text), "metadata", "exit_code");
  if (typeof code === "number") return code === 0;
  const told = /(?:^|\n)(?:Process exited with code|Exit code:) (?<code>-?\d+)/.exec(text.slice(0, 2000));
  return told === null ? null : told.groups?.["code"] === "0";
}

function textsOf(item: unknown): string {
  return listAt(item, "content")
    .flatMap((part) => textAt(part, "text") ?? [])
    .join("\n");
}
