import type { Command, Task } from "../../checkpoints/work-state.ts";
import type { LineProblem } from "./transcript.ts";

/** What a transcript tells about the work. Everything is bounded: a transcript is not. */
export interface Digest {
  readonly prompts: readonly { readonly text: string; readonly at: string | null }[];
  /** What the client itself holds for the goal, where it has such a thing. */
  readonly goal: string | undefined;
  readonly title: string | undefined;
  readonly tasks: readonly Task[];
  /** As the client wrote them: absolute, or relative to the folder it worked in. */
  readonly files: readonly string[];
  readonly commands: readonly Command[];
  readonly subagents: readonly Subagent[];
  readonly lastMessage: string | undefined;
  /** In a few words: the last tool that was used, or that the agent answered. */
  readonly lastAction: string | undefined;
  readonly model: string | undefined;
  readonly clientVersion: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  readonly parentId: string | undefined;
  readonly tokens: number;
  readonly compactions: number;
  readonly startedAt: string | undefined;
  readonly lastSeenAt: string | undefined;
  /** Whether the last turn was finished, broken off, or neither: then the client died in it, or is still at it. */
  readonly lastTurn: "finished" | "interrupted" | "open";
  readonly lines: number;
  /** Lines of kinds that are not known, by kind. They are archived, not read. */
  readonly unknown: Readonly<Record<string, number>>;
  readonly problems: readonly LineProblem[];
  /** Problems beyond those that are listed. */
  readonly moreProblems: number;
}

export interface Subagent {
  /** The call that started it. */
  readonly id: string;
  /** The client's own name for it, which its file has too. */
  readonly agent_id: string | null;
  readonly type: string | null;
  readonly task: string | null;
  readonly status: "completed" | "failed" | "unknown";
  readonly last_message: string | null;
}

/** Reads one line after the other. */
export interface DigestReader {
  read(line: unknown): void;
  problem(problem: LineProblem): void;
  finish(): Digest;
}

export const LIMITS = {
  prompts: 50,
  promptChars: 4000,
  commands: 100,
  commandChars: 1000,
  files: 500,
  subagents: 100,
  messageChars: 4000,
  problems: 20,
  unknownKinds: 50,
  openCalls: 1000,
} as const;

/** Adds to a list that keeps its newest items only. */
export function pushBounded<T>(list: T[], item: T, limit: number): void {
  list.push(item);
  if (list.length > limit) list.shift();
}
