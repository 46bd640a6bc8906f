import type { Command, Task } from "../../checkpoints/work-state.ts";
import type { LineProblem } from "./transcript.ts";

/** What a transcript says about its session in single values: the first or the last that it says. */
export interface TranscriptFacts {
  /** What the client itself holds for the goal, where it has such a thing. */
  goal?: string | undefined;
  title?: string | undefined;
  lastMessage?: string | undefined;
  /** In a few words: the last tool that was used, or that the agent answered. */
  lastAction?: string | undefined;
  model?: string | undefined;
  clientVersion?: string | undefined;
  cwd?: string | undefined;
  branch?: string | undefined;
  parentId?: string | undefined;
}

/** What a transcript tells about the work. Everything is bounded: a transcript is not. */
export interface Digest extends Readonly<TranscriptFacts> {
  readonly prompts: readonly { readonly text: string; readonly at: string | null }[];
  readonly tasks: readonly Task[];
  /** As the client wrote them: absolute, or relative to the folder it worked in. */
  readonly files: readonly string[];
  readonly commands: readonly Command[];
  readonly subagents: readonly Subagent[];
  readonly tokens: number;
  readonly compactions: number;
  readonly startedAt: string | undefined;
  readonly lastSeenAt: string | undefined;
  /** Whether the last turn was finished, interrupted, or neither: then the client died in it, or still works. */
  readonly lastTurn: "finished" | "interrupted" | "open";
  readonly lines: number;
  /** Lines of unknown kinds, by kind. They are archived, but not read. */
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

/** Reads the lines of one client's transcripts into a builder. The formats are internal to the clients: nothing is taken for granted. */
export interface LineReader {
  read(line: unknown): void;
  /** Called after the last line. */
  end?(): void;
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
