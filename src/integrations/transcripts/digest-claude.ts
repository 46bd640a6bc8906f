import { filesOf } from "../../sessions/events/read-calls.ts";
import { cut } from "../../text/cut.ts";
import { LIMITS, type LineReader } from "./digest.ts";
import { clipped, countAt, fieldOf, listAt, momentAt, textAt } from "./fields.ts";
import type { DigestBuilder } from "./digest-builder.ts";

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

/** Reads Claude Code's transcript. */
export class ClaudeReader implements LineReader {
  readonly #digest: DigestBuilder;
  #lastMessageId: string | undefined;

  constructor(digest: DigestBuilder) {
    this.#digest = digest;
  }

  read(line: unknown): void {
    const kind = textAt(line, "type") ?? "without a type";
    const at = momentAt(line, "timestamp");
    this.#digest.line(at);
    this.#place(line);
    if (kind === "user") this.#user(line, at);
    else if (kind === "assistant") this.#assistant(line, at);
    else if (kind === "custom-title" || kind === "ai-title" || kind === "summary") this.#title(line);
    else if (kind === "system" && textAt(line, "subtype") === "compact_boundary") this.#digest.compactions++;
    else if (!KNOWN_KINDS.has(kind)) this.#digest.unknownKind(kind);
  }

  #place(line: unknown): void {
    const { facts } = this.#digest;
    const cwd = textAt(line, "cwd");
    const branch = textAt(line, "gitBranch");
    const version = textAt(line, "version");
    if (cwd !== undefined) facts.cwd ??= cwd;
    if (branch !== undefined) facts.branch = branch;
    if (version !== undefined) facts.clientVersion = cut(version, 60);
  }

  #title(line: unknown): void {
    const title = textAt(line, "customTitle") ?? textAt(line, "aiTitle") ?? textAt(line, "summary");
    if (title !== undefined) this.#digest.facts.title = cut(title, 200);
  }

  #user(line: unknown, at: string | undefined): void {
    const content = fieldOf(line, "message", "content");
    for (const part of listAt(line, "message", "content"))
      if (textAt(part, "type") === "tool_result")
        this.#result(part, { details: fieldOf(line, "toolUseResult"), at });
    const text = typeof content === "string" ? content : textsOf(content);
    if (/\[Request interrupted/.test(text)) this.#digest.lastTurn = "interrupted";
    const isTyped = fieldOf(line, "isMeta") !== true && fieldOf(line, "isCompactSummary") !== true;
    if (isTyped && fieldOf(line, "isSidechain") !== true && text.trim() !== "" && !NOT_TYPED.test(text))
      this.#digest.prompt(text, at);
  }

  #assistant(line: unknown, at: string | undefined): void {
    const { facts } = this.#digest;
    const model = textAt(line, "message", "model");
    if (model !== undefined && !model.startsWith("<")) facts.model = cut(model, 100);
    this.#usage(line);
    const isSide = fieldOf(line, "isSidechain") === true;
    const text = textsOf(fieldOf(line, "message", "content"));
    if (!isSide && text.trim() !== "") {
      this.#digest.message(text);
      this.#digest.action("answered");
    }
    if (!isSide)
      this.#digest.lastTurn = textAt(line, "message", "stop_reason") === "end_turn" ? "finished" : "open";
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
      this.#digest.tokens += countAt(usage, name);
  }

  #use(part: unknown, at: string | undefined): void {
    const tool = textAt(part, "name") ?? "?";
    const input = fieldOf(part, "input");
    const id = textAt(part, "id");
    const shell = tool === "Bash" ? textAt(input, "command") : undefined;
    const paths = filesOf({ tool, input });
    const command = shell === undefined ? undefined : this.#digest.command(["bash", "-c", shell], at);
    this.#digest.action(`${tool} ${shell ?? paths[0] ?? textAt(input, "description") ?? ""}`.trim());
    if (id === undefined) return;
    if (tool === "Task" || tool === "Agent")
      this.#digest.subagent(id, {
        type: clipped(textAt(input, "subagent_type"), 100),
        task: clipped(textAt(input, "description") ?? textAt(input, "prompt"), 500),
      });
    this.#digest.openCall(id, { tool, input, command, paths });
  }

  #result(part: unknown, { details, at }: { details: unknown; at: string | undefined }): void {
    const id = textAt(part, "tool_use_id");
    const isError = fieldOf(part, "is_error") === true;
    this.#digest.closeCall(id, !isError, { response: details, at });
    if (id !== undefined && this.#digest.subagents.has(id)) this.#stopped(id, { part, details, isError });
  }

  #stopped(id: string, end: { part: unknown; details: unknown; isError: boolean }): void {
    const { part, details, isError } = end;
    this.#digest.subagent(id, {
      agent_id: textAt(details, "agentId") ?? null,
      status: isError ? "failed" : "completed",
      last_message: clipped(textsOf(fieldOf(part, "content")) || undefined, LIMITS.messageChars),
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
