import type { TaskStatus } from "../../checkpoints/work-state.ts";

/** A test, a linter, a build, and how it went. */
export interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
}

/** One use of a tool, in the words of the work state. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  /** Null where the client does not say how it went. */
  readonly ok: boolean | null;
  /** What was changed, relative to the project where it is inside. */
  readonly files: readonly string[];
  readonly command?: string;
  /** What the command checked, and whether that was well. */
  readonly check?: CheckResult;
  /** What came out, shortened: where something failed, or where there was much. */
  readonly output?: string;
  /** The client's name for a command that goes on in the background. */
  readonly background?: string;
}

/** What is known of a task now. What is absent stays as it was. */
export interface TaskFact {
  readonly id: string;
  readonly subject?: string;
  readonly status?: TaskStatus | "deleted";
  readonly owner?: string | null;
  readonly blocks?: readonly string[];
  readonly blocked_by?: readonly string[];
}

/** Tasks from one of the lists that a client keeps. */
export interface TaskFacts {
  /** Which list: its tasks are known by it. */
  readonly list: string;
  readonly tasks: readonly TaskFact[];
  /** Whether these are all of the list, so that any others are gone. */
  readonly isWhole: boolean;
}

export interface BackgroundFact {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly what: string;
}

/** How the client describes the session and the agent: names and paths of its own. */
export interface About {
  readonly model?: string | undefined;
  readonly agentType?: string | undefined;
  readonly transcript?: string | undefined;
  readonly agentTranscript?: string | undefined;
  /** The folder that the session was started in. */
  readonly folder?: string | undefined;
}

/** What people, models, tools and clients said: secrets are looked for in all of this before it goes anywhere. */
export interface Said {
  readonly about?: About;
  readonly prompt?: string;
  readonly calls?: readonly Call[];
  readonly tasks?: readonly TaskFacts[];
  readonly message?: string;
  readonly summary?: string;
  readonly error?: string;
  readonly background?: readonly BackgroundFact[];
}
