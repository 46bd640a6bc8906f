import { join } from "node:path";
import { readGitHead } from "../capture/git/git-head.ts";
import type { Cairn } from "../checkpoints/cairn.ts";
import { textOf } from "../text/untrusted.ts";
import type { SessionContext } from "./context.ts";
import type { HookEvent } from "./events/hook-event.ts";
import type { Known } from "./reduce/reduce.ts";

/** What became of an event. */
export interface Captured {
  readonly trail: string;
  readonly isSaved: boolean;
  /** What the model should read. */
  readonly text?: string | undefined;
  /** Why it could not be saved. */
  readonly problem?: unknown;
}

/** Where an event is taken in. */
export interface Place {
  readonly cairn: Cairn;
  readonly root: string;
  readonly context: SessionContext;
}

/** Things that happen to a sub-agent belong to its session; what happens in it is its own. */
export function isInsideAgent({ agentId, moment }: HookEvent): boolean {
  return agentId !== undefined && moment !== "agent-start" && moment !== "agent-stop";
}

/** Who, when, and where git stands. */
export function knownOf(event: HookEvent, { root, context }: Place): Known {
  // A sub-agent may work in a worktree of its own.
  const folder = isInsideAgent(event) ? (textOf(event.fields, "cwd") ?? root) : root;
  return {
    event,
    at: context.now().toISOString(),
    git: readGitHead(folder),
  };
}

/** The same, for what is said to the agent. */
export interface BriefingPlace {
  readonly cairn: Cairn;
  readonly root: string;
  /** Holds the store. */
  readonly folder: string;
  readonly now: Date;
}

export function placeOf({ cairn, root, context }: Place): BriefingPlace {
  return { cairn, root, folder: join(root, ".cairn"), now: context.now() };
}
