import { tokensIn } from "../read-transcript.ts";
import { set } from "../reduce/set.ts";
import { asList, own, textOf } from "../../text/untrusted.ts";
import { type LineReader, textsOf, type TranscriptWork } from "./transcript-work.ts";

/** What a prompt begins with that no person typed. */
const NOT_TYPED =
  /^\s*(?:<(?:command-|local-command|bash-|system-reminder|task-notification|teammate-message)|Caveat:|\[Request interrupted|This session is being continued)/;
/** Commands of the client itself, which say nothing of the work. */
const OWN_COMMAND =
  /^\/(?:exit|quit|clear|compact|context|config|cost|doctor|effort|help|hooks|ide|init|login|logout|mcp|memory|model|permissions|plugin|resume|rewind|status|usage|vim)\b/;
/** The start of a part that the client puts beside a prompt: what is open or selected in the editor, and reminders. */
const BESIDE_PROMPT = /^\s*<(?:ide_\w+|system-reminder)>/;
/** What the client notes on a line that it or a model wrote: of a timer, a plan, another session, or a tool. */
const WRITTEN = [
  "textNotTyped",
  "handedOff",
  "wakeupSource",
  "scheduledTaskId",
  "planContent",
  "sourceToolUseID",
];
/** Only these lines tell of the work; most of a transcript is bookkeeping. */
export const CLAUDE_LINES: RegExp = /"type":"(?:user|assistant|system|custom-title|ai-title|summary)"/;

/** Reads Claude Code's transcript. */
export class ClaudeReader implements LineReader {
  readonly #work: TranscriptWork;
  #lastMessageId: string | undefined;

  constructor(work: TranscriptWork) {
    this.#work = work;
  }

  read(line: unknown, at: string): void {
    const kind = textOf(line, "type");
    const { session } = this.#work;
    set(session, "cwd", session.cwd ?? textOf(line, "cwd"));
    set(session, "branch", textOf(line, "gitBranch"));
    set(session, "client_version", textOf(line, "version")?.slice(0, 60));
    if (kind === "user") this.#user(line, at);
    else if (kind === "assistant") this.#assistant(line, at);
    else if (kind === "custom-title" || kind === "ai-title" || kind === "summary")
      set(session, "title", textOf(line, "customTitle", "aiTitle", "summary")?.slice(0, 200));
    else if (kind === "system" && textOf(line, "subtype") === "compact_boundary")
      session.compactions = (session.compactions ?? 0) + 1;
  }

  #user(line: unknown, at: string): void {
    const content = own(own(line, "message"), "content");
    for (const part of asList(content))
      if (textOf(part, "type") === "tool_result") this.#result(part, own(line, "toolUseResult"), at);
    const isTyped = (part: unknown) => !BESIDE_PROMPT.test(textOf(part, "text") ?? "");
    const text = textsOf(Array.isArray(content) ? content.filter(isTyped) : content);
    if (/\[Request interrupted/.test(text)) this.#work.session.status = "idle";
    if (["isMeta", "isCompactSummary", "isSidechain"].some((name) => own(line, name) === true)) return;
    const typed = NOT_TYPED.test(text) ? slashCommand(text) : text;
    if (typed?.trim()) this.#work.prompt(typed, at, { isDoubtful: isWritten(line) });
  }

  #assistant(line: unknown, at: string): void {
    const message = own(line, "message");
    const { session } = this.#work;
    const model = textOf(message, "model");
    if (model?.startsWith("<") === false) session.model = model.slice(0, 100);
    this.#usage(message);
    if (own(line, "isSidechain") !== true) {
      this.#work.said(textsOf(own(message, "content")), at);
      session.status = textOf(message, "stop_reason") === "end_turn" ? "idle" : "running";
    }
    for (const part of asList(own(message, "content")))
      if (textOf(part, "type") === "tool_use") this.#use(part, at, own(line, "isSidechain") === true);
  }

  /** One answer is several lines, and each repeats what the whole of it cost. */
  #usage(message: unknown): void {
    const id = textOf(message, "id");
    if (id === undefined || id === this.#lastMessageId) return;
    this.#lastMessageId = id;
    const { session } = this.#work;
    session["tokens"] = (session["tokens"] as number) + (tokensIn(own(message, "usage")) ?? 0);
  }

  #use(part: unknown, at: string, isSidechain: boolean): void {
    const id = textOf(part, "id");
    const tool = textOf(part, "name") ?? "?";
    const input = own(part, "input");
    if (id === undefined || isSidechain) return;
    // A plan is what the agent says, whatever becomes of it.
    if (tool === "ExitPlanMode") this.#work.said(textOf(input, "plan"), at);
    if (tool === "Task" || tool === "Agent")
      this.#work.subagent(id, {
        type: textOf(input, "subagent_type"),
        task: textOf(input, "description", "prompt") ?? "",
      });
    this.#work.call(id, { tool, input });
  }

  #result(part: unknown, details: unknown, at: string): void {
    const id = textOf(part, "tool_use_id") ?? "";
    const text = textsOf(own(part, "content"));
    const isError = own(part, "is_error") === true;
    this.#work.result(id, at, { response: details ?? text, ...(isError ? { error: text || "failed" } : {}) });
    this.#work.subagentEnds(id, { id: textOf(details, "agentId"), isError, text });
  }
}

/** A slash command as it was typed, unless it only concerns the client. */
function slashCommand(text: string): string | undefined {
  const name = /<command-name>(?<name>\/[^<]{1,100})<\/command-name>/.exec(text)?.groups?.["name"];
  const args = /<command-args>(?<args>[^]*?)<\/command-args>/.exec(text)?.groups?.["args"]?.trim() ?? "";
  return name === undefined || OWN_COMMAND.test(name) ? undefined : `${name} ${args}`.trim();
}

/** Whether a line in the user's name was not typed by the user. Older versions do not say. */
function isWritten(line: unknown): boolean {
  const origin = textOf(own(line, "origin"), "kind") ?? "human";
  return (
    origin !== "human" ||
    textOf(line, "promptSource") === "system" ||
    WRITTEN.some((name) => own(line, name) !== undefined && own(line, name) !== false)
  );
}
