import type { AgentSession } from "../../state/work-state.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import { capped } from "../../../core/text/shorten.ts";
import { asList, textOf } from "../../../core/text/untrusted.ts";
import { entriesOfCall } from "../activity/step-of-call.ts";
import { commandOf, type RawCall } from "../events/read-calls.ts";
import { type CommandInFlight, LONGEST_PROMPT, type TranscriptEntry } from "../events/transcript-entry.ts";

const LONGEST_SAID = 6000;
/** What a model answers where there is nothing to say. */
const EMPTY_WORDS = /^(?:No response requested\.?|\(no content\)|API Error\b.*)$/i;
const LONGEST_TEXT = 4000;
const MOST_OPEN_CALLS = 1000;
const MOST_SUBAGENTS = 100;

/** A call that was begun, when, and where in the transcript. */
interface OpenCall extends RawCall {
  readonly at: string;
  readonly begun: { readonly line: number; readonly entries: number };
}

/**
 * What a transcript tells, in entries that are the same for every client. Everything is bounded, a transcript is not.
 * Texts are capped, so that secrets can be found before the gaps are closed.
 */
export class TranscriptWork {
  /** Which session it is, only an import says. */
  readonly session: AgentSession = {
    id: "",
    client: "",
    // Until a line says otherwise; a killed session never does.
    status: "running",
    started_at: "",
  };
  lines = 0;
  /** The goal that the client itself keeps. */
  goal: string | undefined;
  branch: string | undefined;
  /** The project's, for the names of files. */
  readonly #root: string;
  /** Told of each call that has ended. */
  readonly #onCall: ((call: RawCall, at: string) => void) | undefined;
  readonly #calls = new Map<string, OpenCall>();
  readonly #subagents = new Map<string, JsonObject>();
  #entries: TranscriptEntry[] = [];
  #latest = "";
  #lastPrompt = "";
  #lastSaid = "";

  constructor(root: string, onCall?: (call: RawCall, at: string) => void) {
    this.#root = root;
    this.#onCall = onCall;
  }

  /** Counts a line. Returns when it was written, or the time of the last line that says so. */
  line(line: unknown): string {
    this.lines++;
    const time = Date.parse(textOf(line, "timestamp") ?? "");
    if (Number.isNaN(time)) return this.#latest;
    const at = new Date(time).toISOString();
    this.session.started_at ||= at;
    if (at > this.#latest) this.session["last_seen_at"] = this.#latest = at;
    return at;
  }

  /** The entries since the last call of this. */
  takeEntries(): readonly TranscriptEntry[] {
    const taken = this.#entries;
    this.#entries = [];
    return taken;
  }

  openCommands(): CommandInFlight[] {
    return [...this.#calls.values()].flatMap((call) => {
      const command = commandOf(call);
      return command === undefined ? [] : [{ command: capped(command, LONGEST_TEXT), at: call.at }];
    });
  }

  /** The command of a call that has no result yet. */
  commandOf(id: string): string | undefined {
    const call = this.#calls.get(id);
    return call && commandOf(call);
  }

  /** The line of the first call that has no result yet, and how many entries came before it. */
  firstOpenCall(): OpenCall["begun"] | undefined {
    return this.#calls.values().next().value?.begun;
  }

  /** `isMidTurn`: typed while the agent worked, whose calls go on. */
  prompt(text: string | undefined, at: string, { isDoubtful = false, isMidTurn = false } = {}): void {
    const prompt = capped(text?.trim() ?? "", LONGEST_PROMPT);
    if (prompt === "" || prompt === this.#lastPrompt) return;
    this.#lastPrompt = prompt;
    // What has no result when the next prompt comes never gets one.
    if (!isMidTurn) this.#calls.clear();
    const how = { ...(isDoubtful && { isDoubtful }), ...(isMidTurn && { isMidTurn }) };
    this.#entries.push({ kind: "prompt", at, text: prompt, ...how });
    this.session.status = "running";
  }

  compacted(at: string): void {
    this.session.compactions = (this.session.compactions ?? 0) + 1;
    this.#entries.push({ kind: "compacted", at });
  }

  said(text: string | undefined, at: string): void {
    const said = (text?.trim() ?? "").replaceAll(`${this.#root}/`, "");
    // Some clients write each message twice, in two forms.
    if (said === "" || said === this.#lastSaid || EMPTY_WORDS.test(said)) return;
    this.#lastSaid = said;
    this.#lastPrompt = "";
    this.session.last_message = capped(said, LONGEST_TEXT);
    this.#entries.push({ kind: "said", at, text: capped(said, LONGEST_SAID) });
  }

  call(id: string, call: Pick<OpenCall, "tool" | "input" | "at">): void {
    const begun = { line: this.lines, entries: this.#entries.length };
    // The same words after it are another prompt: the client was killed, and told to go on.
    this.#lastPrompt = "";
    this.#calls.set(id, { ...call, id, begun, response: undefined });
    if (this.#calls.size > MOST_OPEN_CALLS) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  /** A call counts once its result is there. */
  result(id: string, at: string, result: Pick<RawCall, "response" | "error">): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const whole = { ...call, ...result };
    this.#entries.push(...entriesOfCall(whole, at, this.#root));
    this.#onCall?.(whole, at);
  }

  get subagents(): readonly JsonObject[] {
    return [...this.#subagents.values()];
  }

  /** `call` is the one that started it. A sub-agent that has not answered at the end never will. */
  subagent(call: string, type: string | undefined, task = ""): void {
    if (this.#subagents.size >= MOST_SUBAGENTS) return;
    const about = { id: call, type: type?.slice(0, 100) ?? null, task: capped(task, 500) };
    this.#subagents.set(call, { ...about, status: "interrupted" });
  }

  subagentEnds(
    call: string,
    { id = call, isError, text }: { id: string | undefined; isError: boolean; text: string },
  ): void {
    const end = { id, status: isError ? "failed" : "completed", last_message: capped(text, LONGEST_TEXT) };
    const about = this.#subagents.get(call);
    if (about !== undefined) this.#subagents.set(call, { ...about, ...end });
  }
}

/** The text of a message's content: a string, or parts of which some are text. */
export function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asList(content)
    .flatMap((part) => textOf(part, "text") ?? [])
    .join("\n");
}
