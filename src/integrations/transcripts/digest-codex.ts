import type { Command } from "../../checkpoints/work-state.ts";
import { cut } from "../../text/cut.ts";
import { type Digest, type DigestReader, LIMITS } from "./digest.ts";
import { countAt, fieldOf, listAt, momentAt, parseFields, textAt } from "./fields.ts";
import { Gathering } from "./gather.ts";
import { pathsOfPatch } from "./patch-paths.ts";
import type { LineProblem } from "./transcript.ts";

const KNOWN_KINDS = new Set(
  "world_state token_usage_record security_risk_score inter_agent_communication inter_agent_communication_metadata".split(
    " ",
  ),
);

/** What the client says in the user's name: its surroundings and the project's instructions. */
const NOT_TYPED = /^\s*(?:<|# AGENTS\.md instructions)/;

interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly command?: Command;
  readonly paths: readonly string[];
}

/** Reads a rollout of Codex: lines of a kind and its payload. The format is internal to it. */
export class CodexDigest implements DigestReader {
  readonly #all = new Gathering();
  readonly #calls = new Map<string, Call>();
  /** Messages in the user's name; only asked for when no line says what was really typed. */
  readonly #asUser: { text: string; at: string | undefined }[] = [];
  #hasPrompts = false;

  read(line: unknown): void {
    const kind = textAt(line, "type") ?? "without a type";
    const payload = fieldOf(line, "payload");
    const at = momentAt(line, "timestamp");
    this.#all.line(at);
    if (kind === "session_meta") this.#meta(payload);
    else if (kind === "turn_context") this.#turnContext(payload);
    else if (kind === "response_item") this.#item(payload, at);
    else if (kind === "event_msg") this.#event(payload, at);
    else if (kind === "compacted") this.#all.compactions++;
    else if (!KNOWN_KINDS.has(kind)) this.#all.unknownKind(kind);
  }

  problem(problem: LineProblem): void {
    this.#all.problem(problem);
  }

  finish(): Digest {
    if (!this.#hasPrompts) {
      const { lastTurn } = this.#all;
      for (const { text, at } of this.#asUser) this.#all.prompt(text, at);
      this.#all.lastTurn = lastTurn;
    }
    return this.#all.finish();
  }

  #meta(payload: unknown): void {
    const { said } = this.#all;
    // A fork's file begins with its own line, and may repeat that of its origin.
    said.cwd ??= textAt(payload, "cwd");
    said.branch ??= textAt(payload, "git", "branch");
    said.parentId ??= textAt(payload, "parent_thread_id");
    said.clientVersion ??= cut(textAt(payload, "cli_version") ?? "", 60) || undefined;
  }

  #turnContext(payload: unknown): void {
    const model = textAt(payload, "model");
    if (model !== undefined) this.#all.said.model = cut(model, 100);
  }

  #event(payload: unknown, at: string | undefined): void {
    const kind = textAt(payload, "type") ?? "";
    if (kind === "user_message") this.#prompt(textAt(payload, "message"), at);
    else if (kind === "agent_message") this.#said(textAt(payload, "message"));
    else if (kind === "item_completed") this.#turnItem(fieldOf(payload, "item"), at);
    else if (kind === "task_started" || kind === "turn_started") this.#all.lastTurn = "open";
    else if (kind === "task_complete" || kind === "turn_complete") {
      this.#said(textAt(payload, "last_agent_message"));
      this.#all.lastTurn = "finished";
    } else if (kind === "turn_aborted") this.#all.lastTurn = "interrupted";
    else if (kind === "thread_goal_updated") this.#goal(textAt(payload, "goal", "objective"));
    else if (kind === "token_count")
      this.#all.tokens = Math.max(
        this.#all.tokens,
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
    this.#all.prompt(text, at);
  }

  #said(text: string | undefined): void {
    if (text === undefined || text.trim() === "") return;
    this.#all.message(text);
    this.#all.action("answered");
  }

  #goal(text: string | undefined): void {
    if (text !== undefined) this.#all.said.goal = cut(text, LIMITS.promptChars);
  }

  #item(payload: unknown, at: string | undefined): void {
    const kind = textAt(payload, "type");
    if (kind === "message") this.#message(payload, at);
    else if (kind === "function_call") this.#call(payload, parseFields(textAt(payload, "arguments")), at);
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
    const name = textAt(payload, "name") ?? "shell";
    const words = commandWords(input);
    const patch =
      textAt(input, "input") ?? textAt(input, "patch") ?? (typeof input === "string" ? input : "");
    const paths = pathsOfPatch(name === "apply_patch" ? patch : patchInShell(words));
    const isCommand = words.length > 0 && paths.length === 0;
    const command = isCommand ? this.#all.command(words, at) : undefined;
    const id = textAt(payload, "call_id");
    this.#all.action(`${name} ${isCommand ? words.join(" ") : paths.join(" ")}`.trim());
    if (id === undefined) return;
    if (name === "spawn_agent") this.#spawn(id, input);
    this.#calls.set(id, { name, input, paths, ...(command ? { command } : {}) });
    if (this.#calls.size > LIMITS.openCalls) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  #output(payload: unknown, at: string | undefined): void {
    const id = textAt(payload, "call_id");
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || call === undefined) return;
    this.#calls.delete(id);
    const ok = succeeded(fieldOf(payload, "output"));
    if (call.command) call.command.ok = ok;
    if (ok === false) return;
    for (const path of call.paths) this.#all.file(path);
    this.#all.tasks({ tool: call.name, id, input: call.input, response: undefined }, at);
  }

  #spawn(id: string, input: unknown): void {
    const task = textAt(input, "message") ?? textAt(input, "task") ?? textAt(input, "prompt");
    const type = textAt(input, "agent_type") ?? textAt(input, "agent_role");
    this.#all.subagent(id, {
      task: task === undefined ? null : cut(task, 500),
      type: type === undefined ? null : cut(type, 100),
    });
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
  const code = fieldOf(parseFields(text), "metadata", "exit_code");
  if (typeof code === "number") return code === 0;
  const told = /(?:^|\n)(?:Process exited with code|Exit code:) (?<code>-?\d+)/.exec(text.slice(0, 2000));
  return told === null ? null : told.groups?.["code"] === "0";
}

function textsOf(item: unknown): string {
  return listAt(item, "content")
    .flatMap((part) => textAt(part, "text") ?? [])
    .join("\n");
}
