import type { Environment } from "../../capture/environment.ts";
import type { AgentSession } from "../../checkpoints/work-state.ts";
import type { Json, JsonObject } from "../../objects/json.ts";
import { cut } from "../../text/cut.ts";
import { capped } from "../../text/shorten.ts";
import { asList, textOf } from "../../text/untrusted.ts";
import { entriesOfCall } from "../activity/step-of-call.ts";
import { CLIENT_INFO } from "../client-info.ts";
import type { ClientName } from "../context.ts";
import { commandOf, type RawCall } from "../events/read-calls.ts";
import { type CommandInFlight, LONGEST_PROMPT, type TranscriptEntry } from "../events/transcript-entry.ts";
import type { LineProblem, TranscriptFile } from "./transcript.ts";

const LONGEST_SAID = 6000;
/** What a model answers where there is nothing to say. */
const EMPTY_WORDS = /^(?:No response requested\.?|\(no content\)|API Error\b.*)$/i;
const LONGEST_TEXT = 4000;
const MOST_OPEN_CALLS = 1000;
const MOST_SUBAGENTS = 100;
const MOST_PROBLEMS = 20;

/** Reads the lines of one client's transcripts. The formats are internal to the clients: nothing is taken for granted. */
export interface LineReader {
  read(line: unknown, at: string): void;
  /** Called after the last line. */
  end?(): void;
}

/** Which session is meant, and where its client may have recorded it. */
export interface SessionPlace {
  readonly client: ClientName;
  readonly sessionId: string;
  readonly env: Environment;
  /** The folder that the session was started in. */
  readonly folder: string;
}

export interface WorkOptions {
  /** The project's root, for the names of files. */
  readonly root: string;
  /** Told of each call that has ended. */
  readonly onCall?: (call: RawCall, at: string) => void;
}

/**
 * What a transcript tells, in entries that are the same for every client. Everything is bounded, a transcript is not.
 * Texts are capped, so that secrets can be found before the gaps are closed.
 */
export class TranscriptWork {
  readonly session: AgentSession;
  readonly subagents: Json[] = [];
  lines = 0;
  readonly problems: LineProblem[] = [];
  /** Problems beyond those that are listed. */
  moreProblems = 0;
  /** The goal that the client itself keeps. */
  goal: string | undefined;
  readonly #options: WorkOptions;
  readonly #calls = new Map<
    string,
    RawCall & { readonly begun: { readonly line: number; readonly entries: number; readonly at: string } }
  >();
  /** By the calls that started them: where they are in the list. */
  readonly #subagents = new Map<string, number>();
  #entries: TranscriptEntry[] = [];
  #lastPrompt = "";
  #lastSaid = "";

  constructor(
    { client, session_id, path }: Pick<TranscriptFile, "session_id" | "path"> & { client: ClientName },
    options: WorkOptions,
  ) {
    this.#options = options;
    this.session = {
      id: session_id,
      client: CLIENT_INFO[client].id,
      // A session that was killed counts as working, as far as anybody knows.
      status: "running",
      started_at: "",
      transcript_path: path,
      tokens: 0,
      compactions: 0,
    };
  }

  /** Counts a line. Returns when it was written, or the time of the last line that says so. */
  line(line: unknown): string {
    this.lines++;
    const time = Date.parse(textOf(line, "timestamp") ?? "");
    const latest = textOf(this.session, "last_seen_at") ?? "";
    if (Number.isNaN(time)) return latest;
    const at = new Date(time).toISOString();
    this.session.started_at ||= at;
    this.session["last_seen_at"] = at > latest ? at : latest;
    return at;
  }

  /** The entries since the last call of this. */
  takeEntries(): readonly TranscriptEntry[] {
    const taken = this.#entries;
    this.#entries = [];
    return taken;
  }

  /** The commands that have no result yet. */
  openCommands(): CommandInFlight[] {
    return [...this.#calls.values()].flatMap((call) => {
      const command = commandOf(call);
      return command === undefined ? [] : [{ command: capped(command, LONGEST_TEXT), at: call.begun.at }];
    });
  }

  /** The line of the first call that has no result yet, and how many entries came before it. */
  firstOpenCall(): { readonly line: number; readonly entries: number } | undefined {
    return this.#calls.values().next().value?.begun;
  }

  prompt(text: string, at: string): void {
    const prompt = capped(text.trim(), LONGEST_PROMPT);
    if (prompt === this.#lastPrompt) return;
    this.#lastPrompt = prompt;
    // What has no result when the next prompt comes never gets one.
    this.#calls.clear();
    this.#entries.push({ kind: "prompt", at, text: prompt });
    this.session.status = "running";
  }

  said(text: string | undefined, at: string): void {
    const said = (text?.trim() ?? "").replaceAll(`${this.#options.root}/`, "");
    // Some clients write each message twice, in two forms.
    if (said === "" || said === this.#lastSaid || EMPTY_WORDS.test(said)) return;
    this.#lastSaid = said;
    this.#lastPrompt = "";
    this.session.last_message = capped(said, LONGEST_TEXT);
    this.#entries.push({ kind: "said", at, text: capped(said, LONGEST_SAID) });
  }

  call(id: string, call: Pick<RawCall, "tool" | "input">): void {
    const at = textOf(this.session, "last_seen_at") ?? "";
    const begun = { line: this.lines, entries: this.#entries.length, at };
    this.#calls.set(id, { ...call, id, begun, response: undefined });
    if (this.#calls.size > MOST_OPEN_CALLS) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  /** A call counts once its result is there. */
  result(id: string, at: string, result: Pick<RawCall, "response" | "error">): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const whole = { ...call, ...result };
    this.#entries.push(...entriesOfCall(whole, at, this.#options.root));
    this.#options.onCall?.(whole, at);
  }

  /** `id` is that of the call that started it. A sub-agent that has not answered at the end never will. */
  subagent(id: string, { type, task }: { readonly type: string | undefined; readonly task: string }): void {
    if (this.subagents.length >= MOST_SUBAGENTS) return;
    this.subagents.push({
      id,
      type: type?.slice(0, 100) ?? null,
      task: cut(task, 500),
      status: "interrupted",
    });
    this.#subagents.set(id, this.subagents.length - 1);
  }

  subagentEnds(
    call: string,
    end: { readonly id: string | undefined; readonly isError: boolean; readonly text: string },
  ): void {
    const index = this.#subagents.get(call);
    if (index === undefined) return;
    const { id = call, isError, text } = end;
    this.subagents[index] = {
      ...(this.subagents[index] as JsonObject),
      id,
      status: isError ? "failed" : "completed",
      last_message: capped(text, LONGEST_TEXT),
    };
  }

  problem(problem: LineProblem): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
    else this.moreProblems++;
  }
}

/** The text of a message's content: a string, or parts of which some are text. */
export function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content)
    .flatMap((part) => textOf(part, "text") ?? [])
    .join("\n");
}
