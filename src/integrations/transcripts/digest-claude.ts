import type { Command } from "../../checkpoints/work-state.ts";
import { cut } from "../../text/cut.ts";
import { asRecord } from "../../text/untrusted.ts";
import { type Digest, type DigestReader, LIMITS } from "./digest.ts";
import { countAt, type Fields, fieldOf, listAt, momentAt, textAt } from "./fields.ts";
import { Gathering } from "./gather.ts";
import type { LineProblem } from "./transcript.ts";

/** Kinds of lines that say nothing about the work, or nothing that other lines do not say too. */
const KNOWN_KINDS = new Set([
  ..."attachment system file-history-snapshot file-history-delta progress queue-operation last-prompt".split(
    " ",
  ),
  ..."api-request api-blob api-shape cost-state tools-used mode permission-mode tag pr-link".split(" "),
]);

/** What a prompt begins with that no person typed. */
const NOT_TYPED =
  /^\s*(?:<(?:command-|local-command|bash-|system-reminder|task-notification)|Caveat:|\[Request interrupted)/;

/** Tools that change the file that they name. */
const FILE_TOOLS: Readonly<Record<string, string>> = {
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

interface Call {
  readonly name: string;
  readonly input: Fields;
  readonly command?: Command;
}

/** Reads Claude Code's transcript. The format is internal to it, so nothing is taken for granted. */
export class ClaudeDigest implements DigestReader {
  readonly #all = new Gathering();
  readonly #calls = new Map<string, Call>();
  #lastMessageId: string | undefined;

  read(line: unknown): void {
    const kind = textAt(line, "type") ?? "without a type";
    const at = momentAt(line, "timestamp");
    this.#all.line(at);
    this.#place(line);
    if (kind === "user") this.#user(line, at);
    else if (kind === "assistant") this.#assistant(line, at);
    else if (kind === "custom-title" || kind === "ai-title" || kind === "summary") this.#title(line);
    else if (kind === "system" && textAt(line, "subtype") === "compact_boundary") this.#all.compactions++;
    else if (!KNOWN_KINDS.has(kind)) this.#all.unknownKind(kind);
  }

  problem(problem: LineProblem): void {
    this.#all.problem(problem);
  }

  finish(): Digest {
    return this.#all.finish();
  }

  #place(line: unknown): void {
    const { said } = this.#all;
    const cwd = textAt(line, "cwd");
    const branch = textAt(line, "gitBranch");
    const version = textAt(line, "version");
    if (cwd !== undefined) said.cwd ??= cwd;
    if (branch !== undefined) said.branch = branch;
    if (version !== undefined) said.clientVersion = cut(version, 60);
  }

  #title(line: unknown): void {
    const title = textAt(line, "customTitle") ?? textAt(line, "aiTitle") ?? textAt(line, "summary");
    if (title !== undefined) this.#all.said.title = cut(title, 200);
  }

  #user(line: unknown, at: string | undefined): void {
    const content = fieldOf(line, "message", "content");
    for (const part of listAt(line, "message", "content"))
      if (textAt(part, "type") === "tool_result")
        this.#result(part, { details: fieldOf(line, "toolUseResult"), at });
    const text = typeof content === "string" ? content : textsOf(content);
    if (/\[Request interrupted/.test(text)) this.#all.lastTurn = "interrupted";
    const isTyped = fieldOf(line, "isMeta") !== true && fieldOf(line, "isCompactSummary") !== true;
    if (isTyped && fieldOf(line, "isSidechain") !== true && text.trim() !== "" && !NOT_TYPED.test(text))
      this.#all.prompt(text, at);
  }

  #assistant(line: unknown, at: string | undefined): void {
    const { said } = this.#all;
    const model = textAt(line, "message", "model");
    if (model !== undefined && !model.startsWith("<")) said.model = cut(model, 100);
    this.#usage(line);
    const isSide = fieldOf(line, "isSidechain") === true;
    const text = textsOf(fieldOf(line, "message", "content"));
    if (!isSide && text.trim() !== "") {
      this.#all.message(text);
      this.#all.action("answered");
    }
    if (!isSide)
      this.#all.lastTurn = textAt(line, "message", "stop_reason") === "end_turn" ? "finished" : "open";
    for (const part of listAt(line, "message", "content"))
      if (textAt(part, "type") === "tool_use") this.#use(part, at);
  }

  /** One answer is several lines, and each repeats what the whole of it cost. */
  #usage(line: unknown): void {
    const id = textAt(line, "message", "id");
    if (id === undefined || id === this.#lastMessageId) return;
    this.#lastMessageId = id;
    const usage = fieldOf(line, "message", "usage");
    for (const name of [
      "input_tokens",
      "cache_creation_input_tokens",
      "cache_read_input_tokens",
      "output_tokens",
    ])
      this.#all.tokens += countAt(usage, name);
  }

  #use(part: unknown, at: string | undefined): void {
    const name = textAt(part, "name") ?? "?";
    const input = asRecord(fieldOf(part, "input")) ?? {};
    const id = textAt(part, "id");
    const shell = name === "Bash" ? textAt(input, "command") : undefined;
    const path = textAt(input, FILE_TOOLS[name] ?? "");
    const command = shell === undefined ? undefined : this.#all.command(["bash", "-c", shell], at);
    this.#all.action(`${name} ${shell ?? path ?? textAt(input, "description") ?? ""}`.trim());
    if (id === undefined) return;
    if (name === "Task" || name === "Agent") this.#spawn(id, input);
    this.#calls.set(id, { name, input, ...(command ? { command } : {}) });
    if (this.#calls.size > LIMITS.openCalls) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  #result(part: unknown, { details, at }: { details: unknown; at: string | undefined }): void {
    const id = textAt(part, "tool_use_id");
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || call === undefined) return;
    this.#calls.delete(id);
    const isError = fieldOf(part, "is_error") === true;
    if (call.command) call.command.ok = !isError;
    const path = textAt(call.input, FILE_TOOLS[call.name] ?? "");
    if (path !== undefined && !isError) this.#all.file(path);
    if (!isError) this.#all.tasks({ tool: call.name, id, input: call.input, response: details }, at);
    if (this.#all.subagents.has(id)) this.#stopped(id, { part, details, isError });
  }

  #spawn(id: string, input: Fields): void {
    const type = textAt(input, "subagent_type");
    const task = textAt(input, "description") ?? textAt(input, "prompt");
    this.#all.subagent(id, {
      type: type === undefined ? null : cut(type, 100),
      task: task === undefined ? null : cut(task, 500),
    });
  }

  #stopped(id: string, end: { part: unknown; details: unknown; isError: boolean }): void {
    const { part, details, isError } = end;
    const text = textsOf(fieldOf(part, "content"));
    this.#all.subagent(id, {
      agent_id: textAt(details, "agentId") ?? null,
      status: isError ? "failed" : "completed",
      last_message: text === "" ? null : cut(text, LIMITS.messageChars),
    });
  }
}

/** The text of a message's content: a string, or parts of which some are text. */
function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part) => (textAt(part, "type") === "text" ? (textAt(part, "text") ?? []) : []))
    .join("\n");
}
