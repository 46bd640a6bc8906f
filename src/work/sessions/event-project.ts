import { readGitHead } from "../capture/git/git-head.ts";
import { createRedactor } from "../../core/redaction/redactor.ts";
import { textOf } from "../../core/text/untrusted.ts";
import type { Reader, Viewpoint } from "./alive/interrupted.ts";
import type { LentStore, SessionContext } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import type { ReduceContext } from "./reduce/reduce.ts";

/** Where an event belongs. */
export interface EventPlace {
  readonly root: string;
  /** Holds the store. */
  readonly folder: string;
  readonly now: Date;
  readonly context: SessionContext;
}

/** The project that an event belongs to, with its open store. */
export interface EventProject extends EventPlace, LentStore {}

/** The project as a session sees it that reads the work of another, or its own. */
export function viewpointOf({ folder, now, root, context }: EventProject, reader: Reader): Viewpoint {
  const { env } = context;
  return {
    folder,
    root,
    env,
    now,
    reader,
    redactor: async () => createRedactor(await context.secrets?.(root)),
  };
}

/** What became of an event. */
export interface EventResult {
  readonly trail: string;
  readonly isSaved: boolean;
  /** What the model should read. */
  readonly text?: string | undefined;
  /** Why it could not be saved. */
  readonly problem?: unknown;
}

/** Whether an event is a sub-agent's own. What happens to a sub-agent, its start and stop, belongs to the session. */
export function isInsideAgent({ agentId, moment }: HookEvent): boolean {
  return agentId !== undefined && moment !== "agent-start" && moment !== "agent-stop";
}

/** Who, when, and where git stands. */
export function reduceContext(event: HookEvent, { root, now, context }: EventPlace): ReduceContext {
  // A sub-agent may work in a worktree of its own.
  const folder = isInsideAgent(event) ? (textOf(event.fields, "cwd") ?? root) : root;
  return { event, eventId: context.eventId, at: now.toISOString(), git: readGitHead(folder) };
}
