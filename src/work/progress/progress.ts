import { CheckpointError } from "../../core/errors.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { isName } from "../yaml/words.ts";
import { didYouMean } from "../yaml/problems.ts";
import type { MILESTONES, PHASES, STATUSES } from "./words.ts";

export { MILESTONES, PHASES, STATUSES } from "./words.ts";

type ProgressPhase = (typeof PHASES)[number];
type ProgressStatus = (typeof STATUSES)[number];
export type Milestone = (typeof MILESTONES)[number];

export interface ProgressNote {
  readonly at: string;
  readonly text: string;
  readonly milestone?: Milestone;
}

/** Where one agent stands with one feature: the state in the trail `progress/<feature>/<agent>`, and its file. */
export interface AgentProgress {
  readonly feature: string;
  readonly agent: string;
  readonly team?: string;
  readonly phase: ProgressPhase;
  readonly status: ProgressStatus;
  readonly last_action: string;
  readonly updated: string;
  readonly notes: readonly ProgressNote[];
}

/** The fields of a progress file, in their order. Only `team` may be missing. */
export const PROGRESS_FIELDS = [
  "feature",
  "team",
  "agent",
  "phase",
  "status",
  "last_action",
  "updated",
] as const satisfies readonly (keyof AgentProgress)[];

const PROGRESS_TRAIL_PREFIX = "progress/";

export const progressTrail = ({ feature, agent }: Pick<AgentProgress, "feature" | "agent">): string =>
  `${PROGRESS_TRAIL_PREFIX}${feature}/${agent}`;

/** One file for each agent, so that agents working at the same time never write the same one. */
export const progressFile = ({ feature, agent }: Pick<AgentProgress, "feature" | "agent">): string =>
  `${feature}-${agent}.md`;

/** The command with which an agent notes what it did next, ready to be copied. */
export const noteCommand = ({ feature, agent }: Pick<AgentProgress, "feature" | "agent">): string =>
  `checkpoint progress note --feature ${shellWord(feature)} --agent ${shellWord(agent)} "what you did"`;

/** Throws `usage` unless the value is one of the known words. */
export function checkWord<Word extends string>(field: string, value: string, known: readonly Word[]): Word {
  if ((known as readonly string[]).includes(value)) return value as Word;
  throw new CheckpointError("usage", `"${value}" is not a ${field}.`, {
    hint: didYouMean(value, known, `It is one of ${known.join(", ")}.`),
    details: { field, value },
  });
}

/** A name becomes part of a path, so it must not lead out of the folder. */
export function checkName(field: string, value: string): string {
  if (isName(value)) return value;
  throw new CheckpointError("usage", `"${value.slice(0, 80)}" is not a name for a ${field}.`, {
    hint: "Use letters, digits, - and _, as in login-page.",
    details: { field },
  });
}
