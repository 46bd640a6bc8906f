import { type AgentSession, emptyWorkState, type WorkState } from "../../checkpoints/work-state.ts";
import type { JsonObject } from "../../objects/json.ts";
import { CLIENT_INFO } from "../../sessions/client-info.ts";
import { type RawCall, readCall } from "../../sessions/events/read-calls.ts";
import { tasksOfCalls } from "../../sessions/events/read-tasks.ts";
import { reduceCalls } from "../../sessions/reduce/reduce-calls.ts";
import { reducePrompt } from "../../sessions/reduce/reduce.ts";
import { reduceTasks } from "../../sessions/reduce/reduce-tasks.ts";
import { cut } from "../../text/cut.ts";
import { capped } from "../../text/shorten.ts";
import { asList, textOf } from "../../text/untrusted.ts";
import type { LineProblem, TranscriptFile } from "./transcript.ts";

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

/**
 * What a transcript tells of the work, as hooks would have saved it: the same reducers apply. Everything is bounded, a
 * transcript is not. Texts are capped, so that secrets can be found before the gaps are closed.
 */
export class TranscriptWork {
  readonly state: WorkState = emptyWorkState();
  readonly session: AgentSession;
  lines = 0;
  readonly problems: LineProblem[] = [];
  /** Problems beyond those that are listed. */
  moreProblems = 0;
  readonly #root: string;
  readonly #calls = new Map<string, RawCall>();
  /** By the calls that started them: where they are in the state. */
  readonly #subagents = new Map<string, number>();
  #lastPrompt = "";

  constructor({ client, session_id, path }: TranscriptFile, root: string) {
    this.#root = root;
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
    this.state.session = this.session;
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

  prompt(text: string, at: string): void {
    const prompt = capped(text.trim(), LONGEST_TEXT);
    if (prompt === this.#lastPrompt) return;
    this.#lastPrompt = prompt;
    reducePrompt(this.state, at, prompt);
    this.session.status = "running";
  }

  message(text: string | undefined): void {
    if (text?.trim()) this.session.last_message = capped(text.trim(), LONGEST_TEXT);
  }

  call(id: string, call: Pick<RawCall, "tool" | "input">): void {
    this.#calls.set(id, { ...call, id, response: undefined });
    if (this.#calls.size > MOST_OPEN_CALLS) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  /** A call counts once its result is there. */
  result(id: string, at: string, result: Pick<RawCall, "response" | "error">): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const whole = { ...call, ...result };
    reduceCalls(this.state, at, [readCall(whole, this.#root) ?? []].flat());
    reduceTasks(this.state, at, tasksOfCalls([whole]));
  }

  /** `id` is that of the call that started it. A sub-agent that has not answered at the end never will. */
  subagent(id: string, { type, task }: { readonly type: string | undefined; readonly task: string }): void {
    if (this.state.subagents.length >= MOST_SUBAGENTS) return;
    this.state.subagents.push({
      id,
      type: type?.slice(0, 100) ?? null,
      task: cut(task, 500),
      status: "interrupted",
    });
    this.#subagents.set(id, this.state.subagents.length - 1);
  }

  subagentEnds(
    call: string,
    end: { readonly id: string | undefined; readonly isError: boolean; readonly text: string },
  ): void {
    const index = this.#subagents.get(call);
    if (index === undefined) return;
    const { id = call, isError, text } = end;
    this.state.subagents[index] = {
      ...(this.state.subagents[index] as JsonObject),
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
