import { join } from "node:path";
import { personalFolder } from "../../machine/folders.ts";
import { statIfAny } from "../../machine/read-bounded.ts";
import { asText, own, textOf } from "../../../core/text/untrusted.ts";
import { set } from "../reduce/set.ts";
import type { LineReader, TranscriptFormat } from "./transcript.ts";
import type { TranscriptWork } from "./transcript-work.ts";

/** The transcripts of Copilot CLI: a folder for each session. */
export const COPILOT: TranscriptFormat = {
  isTelling: (line) => TELLING.test(line),
  reader: (work) => new CopilotReader(work),
  folder: (env) => personalFolder(env, "COPILOT_HOME", ".copilot"),
  find: (folder, sessionId) => {
    const path = join(folder, "session-state", sessionId, "events.jsonl");
    return statIfAny(path)?.isFile() === true ? path : undefined;
  },
};

const TELLING =
  /^\{"type":"(?:session\.start|user\.message|assistant\.message|tool\.execution_(?:start|complete)|session\.compaction_complete)"/;

/** Reads Copilot CLI's transcript: lines of a type and its data. */
class CopilotReader implements LineReader {
  readonly #work: TranscriptWork;

  constructor(work: TranscriptWork) {
    this.#work = work;
  }

  read(line: unknown, at: string): void {
    const data = own(line, "data");
    // What a sub-agent says and does names the call that started it.
    if (textOf(data, "parentToolCallId") !== undefined) return;
    const { session } = this.#work;
    const kind = textOf(line, "type");
    if (kind === "session.start") set(session, "client_version", textOf(data, "copilotVersion"));
    else if (kind === "user.message") this.#prompt(data, at);
    else if (kind === "assistant.message") this.#work.said(textOf(data, "content"), at);
    else if (kind === "tool.execution_start")
      this.#work.call(textOf(data, "toolCallId") ?? "", {
        tool: textOf(data, "toolName") ?? "?",
        input: own(data, "arguments"),
        at,
      });
    else if (kind === "tool.execution_complete") this.#result(data, at);
    else session.compactions = (session.compactions ?? 0) + 1;
  }

  /** What names a source was written by the client: a skill, a notice, a summary. */
  #prompt(data: unknown, at: string): void {
    const text = textOf(data, "content");
    if (text !== undefined && (textOf(data, "source") ?? "user") === "user") this.#work.prompt(text, at);
  }

  #result(data: unknown, at: string): void {
    const printed = asText(own(own(data, "result"), "content")) ?? "";
    const code = own(own(data, "shellExecution"), "exitCode");
    const error =
      own(data, "success") === false ? (textOf(own(data, "error"), "message") ?? printed) : undefined;
    this.#work.result(textOf(data, "toolCallId") ?? "", at, {
      // Its own last line says how the command ended.
      response:
        typeof code === "number"
          ? { stdout: printed.replace(/\s*<shellId: [^<>]*>\s*$/, ""), exit_code: code }
          : printed,
      ...(error === undefined ? {} : { error }),
    });
  }
}
