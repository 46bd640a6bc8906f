import { personalFolder } from "../../machine/folders.ts";
import { asText, own, textOf } from "../../../core/text/untrusted.ts";
import { fileIn, type TranscriptFormat } from "./transcript.ts";
import type { TranscriptWork } from "./transcript-work.ts";

/** The transcripts of Copilot CLI: a folder for each session. */
export const COPILOT: TranscriptFormat = {
  isTelling: (line) => TELLING.test(line),
  reader: (work) => (line, at) => read(work, line, at),
  find: ({ env, sessionId }) =>
    fileIn(personalFolder(env, "COPILOT_HOME", ".copilot"), "session-state", sessionId, "events.jsonl"),
};

const TELLING = /^\{"type":"(?:user\.message|assistant\.message|tool\.execution_(?:start|complete))"/;

function read(work: TranscriptWork, line: unknown, at: string): void {
  const data = own(line, "data");
  // What a sub-agent says and does names the call that started it.
  if (textOf(data, "parentToolCallId") !== undefined) return;
  const kind = textOf(line, "type");
  const id = textOf(data, "toolCallId") ?? "";
  // What names a source was written by the client: a skill, a notice, a summary.
  if (kind === "user.message" && (textOf(data, "source") ?? "user") === "user")
    work.prompt(textOf(data, "content"), at);
  else if (kind === "assistant.message") work.said(textOf(data, "content"), at);
  else if (kind === "tool.execution_start")
    work.call(id, { tool: textOf(data, "toolName") ?? "?", input: own(data, "arguments"), at });
  else if (kind === "tool.execution_complete") work.result(id, at, resultOf(data));
}

function resultOf(data: unknown): { response: unknown; error?: string } {
  const printed = asText(own(own(data, "result"), "content")) ?? "";
  const code = own(own(data, "shellExecution"), "exitCode");
  // Its own last line says how the command ended.
  const stdout = printed.replace(/<shellId: [^<>]*>\s*$/, "").trimEnd();
  const response = typeof code === "number" ? { stdout, exit_code: code } : printed;
  if (own(data, "success") !== false) return { response };
  return { response, error: textOf(own(data, "error"), "message") ?? printed };
}
