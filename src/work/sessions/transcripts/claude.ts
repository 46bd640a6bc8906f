import { join } from "node:path";
import { namesIn, personalFolder, realPath } from "../../machine/folders.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { set } from "../reduce/set.ts";
import { fileIn, type LineReader, type TranscriptFormat, type TranscriptSession } from "./transcript.ts";
import { textsOf, type TranscriptWork } from "./transcript-work.ts";

/** The transcripts of Claude Code: a file for each session, below a folder for each project. */
export const CLAUDE: TranscriptFormat = {
  isTelling: (line) => TELLING.test(line) && !PROGRESS.test(line),
  reader,
  find: findTranscript,
};

/** Most of a transcript is bookkeeping, and what sub-agents say as they go, which repeats their own files. */
const TELLING =
  /"type":"(?:user|assistant|system|custom-title|ai-title|summary|queue-operation|queued_command)"/;
const PROGRESS = /^\{[^{}]*"type":"progress"/;

/** Claude Code's own rule: everything but letters and digits becomes a dash, and long names are cut. */
export function projectFolderName(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, "-").slice(0, 200);
}

const MOST_PROJECTS = 5000;

/** Below the folder that it was started in, or any other. */
function findTranscript({ env, sessionId, folder }: TranscriptSession): string | undefined {
  const config = personalFolder(env, "CLAUDE_CONFIG_DIR", ".claude");
  if (config === undefined) return undefined;
  const projects = join(config, "projects");
  const likely = [folder, realPath(folder)].map(projectFolderName);
  for (const name of [...likely, ...namesIn(projects).slice(0, MOST_PROJECTS)]) {
    const found = fileIn(projects, name, `${sessionId}.jsonl`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a prompt begins with that no person typed. */
const NOT_TYPED =
  /^\s*(?:<(?:command-|local-command|bash-|system-reminder|(?:task|agent)-notification|teammate-message)|Caveat:|\[Request interrupted|This session is being continued)/;
/** Commands of the client itself, which say nothing of the work. */
const OWN_COMMAND =
  /^\/(?:exit|quit|clear|compact|context|config|cost|doctor|effort|help|hooks|ide|init|login|logout|mcp|memory|model|permissions|plugin|resume|rewind|status|usage|vim)\b/;

/** The start of a part that the client puts beside a prompt: what is open or selected in the editor, and reminders. */
const BESIDE_PROMPT = /^\s*<(?:ide_\w+|system-reminder)>/;
/** What the client notes on a line that it or a model wrote: of a timer, a plan, another session, or a tool. */
const WRITTEN = "textNotTyped handedOff wakeupSource scheduledTaskId planContent sourceToolUseID".split(" ");

function reader(work: TranscriptWork): LineReader {
  const { session } = work;
  /** What was typed while the agent worked, and has not reached it yet; empty if its own line told it. */
  const waiting: string[] = [];

  /** Such words never get a line of the user's: the client puts them into the running turn. */
  const meanwhile = (text: string, at: string, isDoubtful: boolean) => {
    if (!NOT_TYPED.test(text) && !/^\/[\w:.-]+\s*$/.test(text))
      work.prompt(text, at, { isDoubtful, isMidTurn: true });
  };
  const readQueued = (line: unknown, at: string) => {
    const queued = own(line, "attachment");
    const mode = textOf(queued, "commandMode") ?? "prompt";
    if (textOf(queued, "type") !== "queued_command" || mode !== "prompt") return;
    if (isAside(line) || isAside(queued)) return;
    const text = textsOf(own(queued, "prompt"));
    if (waiting.includes(text.trim())) waiting[waiting.indexOf(text.trim())] = "";
    const isHuman = textOf(own(queued, "origin"), "kind") === "human";
    meanwhile(text, at, !isHuman || isWritten(line) || isWritten(queued));
  };
  /** Older versions tell only here what was typed, and not by whom. */
  const readQueue = (line: unknown, at: string) => {
    const operation = textOf(line, "operation");
    if (operation === "enqueue") waiting.push(textOf(line, "content") ?? "");
    else if (operation === "popAll") waiting.length = 0;
    else if (operation === "dequeue") waiting.shift();
    else if (operation === "remove") meanwhile(waiting.shift() ?? "", at, true);
  };

  const readAnswer = (line: unknown, at: string) => {
    const message = own(line, "message");
    const model = textOf(message, "model");
    if (model?.startsWith("<") === false) session.model = model.slice(0, 200);
    // Older versions put what sub-agents did between the lines of their session.
    if (own(line, "isSidechain") === true) return;
    work.said(textsOf(own(message, "content")), at);
    session.status = textOf(message, "stop_reason") === "end_turn" ? "idle" : "running";
    for (const part of asList(own(message, "content")))
      if (textOf(part, "type") === "tool_use") readCall(work, part, at);
  };
  return (line, at) => {
    const kind = textOf(line, "type");
    set(session, "cwd", session.cwd ?? textOf(line, "cwd"));
    work.branch = textOf(line, "gitBranch") ?? work.branch;
    if (kind === "user") readUser(work, line, at);
    else if (kind === "assistant") readAnswer(line, at);
    else if (kind === "attachment") readQueued(line, at);
    else if (kind === "queue-operation") readQueue(line, at);
    else if (kind === "custom-title" || kind === "ai-title" || kind === "summary")
      set(session, "title", textOf(line, "customTitle", "aiTitle", "summary")?.slice(0, 200));
    else if (kind === "system" && textOf(line, "subtype") === "compact_boundary") work.compacted(at);
  };
}

function readUser(work: TranscriptWork, line: unknown, at: string): void {
  const content = own(own(line, "message"), "content");
  for (const part of asList(content))
    if (textOf(part, "type") === "tool_result") readResult(work, part, { line, at });
  const isTyped = (part: unknown) => !BESIDE_PROMPT.test(textOf(part, "text") ?? "");
  const text = textsOf(Array.isArray(content) ? content.filter(isTyped) : content);
  if (/\[Request interrupted/.test(text)) work.session.status = "idle";
  if (isAside(line)) return;
  work.prompt(NOT_TYPED.test(text) ? slashCommand(text) : text, at, { isDoubtful: isWritten(line) });
}

function readCall(work: TranscriptWork, part: unknown, at: string): void {
  const id = textOf(part, "id");
  const tool = textOf(part, "name") ?? "?";
  const input = own(part, "input");
  if (id === undefined) return;
  // A plan is what the agent says, whatever becomes of it.
  if (tool === "ExitPlanMode") work.said(textOf(input, "plan"), at);
  if (tool === "Task" || tool === "Agent")
    work.subagent(id, textOf(input, "subagent_type"), textOf(input, "description", "prompt"));
  work.call(id, { tool, input, at });
}

function readResult(work: TranscriptWork, part: unknown, { line, at }: { line: unknown; at: string }): void {
  const id = textOf(part, "tool_use_id") ?? "";
  const text = textsOf(own(part, "content"));
  const details = own(line, "toolUseResult");
  const isError = own(part, "is_error") === true;
  work.result(id, at, { response: details ?? text, ...(isError ? { error: text || "failed" } : {}) });
  work.subagentEnds(id, { id: textOf(details, "agentId"), isError, text });
}

/** A slash command as it was typed, unless it only concerns the client. */
function slashCommand(text: string): string | undefined {
  const name = /<command-name>(?<name>\/[^<]{1,100})<\/command-name>/.exec(text)?.groups?.["name"];
  const args = /<command-args>(?<args>[^]*?)<\/command-args>/.exec(text)?.groups?.["args"]?.trim() ?? "";
  return name === undefined || OWN_COMMAND.test(name) ? undefined : `${name} ${args}`.trim();
}

/** Whether a line is no part of the conversation between person and agent. */
function isAside(line: unknown): boolean {
  return ["isMeta", "isCompactSummary", "isSidechain"].some((name) => own(line, name) === true);
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
