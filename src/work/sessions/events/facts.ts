import type { TaskStatus } from "../../state/work-state.ts";
import type { TranscriptNews } from "./transcript-entry.ts";

/** A test, a linter or a build, and whether it passed. */
export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
}

/** One use of a tool. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  /** Null if the client does not say how it went. */
  readonly ok: boolean | null;
  /** The changed files, relative to the project if they are inside it. */
  readonly files: readonly string[];
  readonly command?: string | undefined;
  readonly check?: CheckResult | undefined;
  /** What it printed, shortened: if something failed, or if it was much. */
  readonly output?: string | undefined;
  /** The client's name for a command that goes on in the background. */
  readonly background?: string | undefined;
}

/** What is known of a task now. Absent fields stay as they were. */
export interface TaskFact {
  readonly id: string;
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: TaskStatus | "deleted" | undefined;
  readonly owner?: string | null | undefined;
  readonly blocks?: readonly string[] | undefined;
  readonly blocked_by?: readonly string[] | undefined;
}

/** Tasks from one of the lists that a client keeps. */
export interface TaskFacts {
  /** The name of the list, recorded with each of its tasks. */
  readonly list: string;
  readonly tasks: readonly TaskFact[];
  /** Whether this is the whole list, so that any other task is gone. */
  readonly isWhole: boolean;
}

/** Something that goes on by itself: a background command, a sub-agent, a timer. */
export interface BackgroundFact {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly what: string;
}

/** How the client describes the session and the agent. */
export interface SessionFacts {
  readonly model?: string | undefined;
  readonly agentType?: string | undefined;
  readonly transcript?: string | undefined;
  readonly agentTranscript?: string | undefined;
  /** The folder that the session was started in. */
  readonly folder?: string | undefined;
}

/** What people, models, tools and clients said in an event. All of it is searched for secrets before it is kept. */
export interface EventFacts {
  readonly about?: SessionFacts | undefined;
  readonly prompt?: string | undefined;
  readonly calls?: readonly ToolCall[] | undefined;
  readonly tasks?: readonly TaskFacts[] | undefined;
  readonly message?: string | undefined;
  readonly summary?: string | undefined;
  readonly error?: string | undefined;
  readonly background?: readonly BackgroundFact[] | undefined;
  /** What is new in the client's transcript. */
  readonly news?: TranscriptNews | undefined;
  /** How often the conversation was compacted, where only its transcript says so. */
  readonly compactions?: number | undefined;
}
