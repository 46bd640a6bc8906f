import type { GitHead } from "../../capture/git/git-head.ts";
import type { TaskStatus } from "../../state/work-state.ts";
import type { HookEvent } from "./hook-event.ts";
import type { ActivityUpdate, ToolStep } from "./transcript-entry.ts";

/** What is known of a task now. Absent fields stay as they were. */
export interface TaskUpdate {
  readonly id: string;
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: TaskStatus | "deleted" | undefined;
  readonly owner?: string | null | undefined;
  readonly blocks?: readonly string[] | undefined;
  readonly blocked_by?: readonly string[] | undefined;
}

/** Tasks from one of the lists that a client keeps. */
export interface TaskListUpdate {
  /** The name of the list, recorded with each of its tasks. */
  readonly list: string;
  readonly tasks: readonly TaskUpdate[];
  /** Whether this is the whole list, so that any other task is gone. */
  readonly isWhole: boolean;
}

/** Something that runs by itself: a background command or a timer. */
export interface BackgroundWork {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly what: string;
}

/** How the client describes the session and the agent. */
interface SessionDetails {
  readonly model?: string | undefined;
  readonly agentType?: string | undefined;
  readonly transcript?: string | undefined;
  readonly agentTranscript?: string | undefined;
  /** The folder that the session was started in. */
  readonly folder?: string | undefined;
}

/** What people, models, tools and clients said in an event: without secrets, which are taken out before it is kept. */
export interface EventContent {
  readonly about?: SessionDetails | undefined;
  readonly prompt?: string | undefined;
  readonly calls?: readonly ToolStep[] | undefined;
  readonly tasks?: readonly TaskListUpdate[] | undefined;
  readonly message?: string | undefined;
  readonly error?: string | undefined;
  readonly background?: readonly BackgroundWork[] | undefined;
  /** What the agent said and did since the last event. */
  readonly activity?: ActivityUpdate | undefined;
  /** How often the conversation was compacted, where only its transcript says so. */
  readonly compactions?: number | undefined;
}

/** A hook's event, with everything that is saved of it. */
export interface SessionEvent {
  /** Random, and committed with the event: saving it a second time changes nothing. */
  readonly id: string;
  /** When it happened, as states record it. */
  readonly at: string;
  readonly hook: HookEvent;
  readonly content: EventContent;
  readonly git?: GitHead | undefined;
}
