import { type Command, emptyWorkState } from "../../checkpoints/work-state.ts";
import { tasksOfCalls } from "../../sessions/events/read-tasks.ts";
import { reduceTasks } from "../../sessions/reduce/reduce-tasks.ts";
import { cut } from "../../text/cut.ts";
import { type Digest, LIMITS, type TranscriptFacts, type Subagent } from "./digest.ts";
import type { LineProblem } from "./transcript.ts";

/** A call of a tool whose result has not been read yet. */
export interface OpenCall {
  readonly tool: string;
  readonly input: unknown;
  readonly command: Command | undefined;
  /** Files that it changes if it succeeds. */
  readonly paths: readonly string[];
}

interface CallResult {
  readonly response: unknown;
  readonly at: string | undefined;
}

/** Collects what the readers of both clients find, within the limits. */
export class DigestBuilder {
  readonly facts: TranscriptFacts = {};
  readonly subagents = new Map<string, Subagent>();
  lastTurn: Digest["lastTurn"] = "open";
  tokens = 0;
  compactions = 0;
  #lines = 0;
  readonly #prompts: { text: string; at: string | null }[] = [];
  #firstPrompt: { text: string; at: string | null } | undefined;
  /** Only its tasks are used: those that hooks note must be the same ones. */
  readonly #state = emptyWorkState();
  readonly #files = new Set<string>();
  readonly #commands: Command[] = [];
  readonly #calls = new Map<string, OpenCall>();
  readonly #unknown = new Map<string, number>();
  readonly #problems: LineProblem[] = [];
  #moreProblems = 0;
  #startedAt: string | undefined;
  #lastSeenAt: string | undefined;

  line(at: string | undefined): void {
    this.#lines++;
    if (at === undefined) return;
    this.#startedAt ??= at;
    if (this.#lastSeenAt === undefined || at > this.#lastSeenAt) this.#lastSeenAt = at;
  }

  prompt(text: string, at: string | undefined): void {
    const prompt = { text: cut(text.trim(), LIMITS.promptChars), at: at ?? null };
    if (this.#prompts.at(-1)?.text === prompt.text) return;
    this.#firstPrompt ??= prompt;
    pushBounded(this.#prompts, prompt, LIMITS.prompts);
    this.lastTurn = "open";
  }

  message(text: string): void {
    this.facts.lastMessage = cut(text.trim(), LIMITS.messageChars);
  }

  action(text: string): void {
    this.facts.lastAction = cut(text.replaceAll(/\s+/g, " "), 200);
  }

  #file(path: string): void {
    if (path.length > 4096) return;
    this.#files.delete(path);
    this.#files.add(path);
    if (this.#files.size > LIMITS.files) this.#files.delete(this.#files.values().next().value as string);
  }

  command(words: readonly string[], at: string | undefined): Command {
    const command: Command = {
      argv: words.slice(0, 200).map((word) => cut(word, LIMITS.commandChars)),
      ok: null,
      at: at ?? this.#lastSeenAt ?? new Date(0).toISOString(),
    };
    pushBounded(this.#commands, command, LIMITS.commands);
    return command;
  }

  openCall(id: string, call: OpenCall): void {
    this.#calls.set(id, call);
    if (this.#calls.size > LIMITS.openCalls) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  /** Takes in the result of a call: `ok` is null where the client does not say how it went. */
  closeCall(id: string | undefined, ok: boolean | null, { response, at }: CallResult): void {
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (id === undefined || call === undefined) return;
    this.#calls.delete(id);
    const { tool, input, command, paths } = call;
    if (command !== undefined) command.ok = ok;
    if (ok === false) return;
    for (const path of paths) this.#file(path);
    const change = tasksOfCalls([{ tool, id, input, response }]);
    reduceTasks(this.#state, at ?? this.#lastSeenAt ?? "", change);
  }

  subagent(id: string, change: Partial<Omit<Subagent, "id">>): void {
    const before = this.subagents.get(id);
    if (before === undefined && this.subagents.size >= LIMITS.subagents) return;
    const fresh: Subagent = {
      id,
      agent_id: null,
      type: null,
      task: null,
      status: "unknown",
      last_message: null,
    };
    this.subagents.set(id, { ...(before ?? fresh), ...change });
  }

  unknownKind(kind: string): void {
    const name = this.#unknown.size < LIMITS.unknownKinds ? cut(kind, 60) : "others";
    this.#unknown.set(name, (this.#unknown.get(name) ?? 0) + 1);
  }

  problem(problem: LineProblem): void {
    if (this.#problems.length < LIMITS.problems) this.#problems.push(problem);
    else this.#moreProblems++;
  }

  finish(): Digest {
    const prompts =
      this.#firstPrompt === undefined || this.#prompts.includes(this.#firstPrompt)
        ? this.#prompts
        : [this.#firstPrompt, ...this.#prompts];
    return {
      ...this.facts,
      prompts,
      tasks: this.#state.tasks,
      files: [...this.#files],
      commands: this.#commands,
      subagents: [...this.subagents.values()],
      tokens: this.tokens,
      compactions: this.compactions,
      startedAt: this.#startedAt,
      lastSeenAt: this.#lastSeenAt,
      lastTurn: this.lastTurn,
      lines: this.#lines,
      unknown: Object.fromEntries(this.#unknown),
      problems: this.#problems,
      moreProblems: this.#moreProblems,
    };
  }
}

/** Adds to a list that keeps its newest items only. */
function pushBounded<T>(list: T[], item: T, limit: number): void {
  list.push(item);
  if (list.length > limit) list.shift();
}
