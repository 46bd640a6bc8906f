import { join } from "node:path";

import type { Cairn } from "../state/cairn.ts";
import { emptyWorkState, type WorkState } from "../state/work-state.ts";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import type { Redactor } from "../../core/redaction/redactor.ts";
import type { Trail } from "../../core/trails/trail.ts";
import { editProgress } from "./edit-progress.ts";
import { formatProgress } from "./format-progress.ts";
import { importProgress } from "./import-progress.ts";
import {
  checkName,
  checkWord,
  MILESTONES,
  PHASES,
  progressFile,
  progressTrail,
  STATUSES,
  type AgentProgress,
} from "./progress.ts";
import { progressIn, workOf } from "./progress-work.ts";
import { writeAtomically } from "../machine/write-atomically.ts";

export interface ProgressContext {
  readonly cairn: Cairn;
  readonly root: string;
  readonly now: () => Date;
  /** Removes secrets from what agents wrote by hand, before it is stored. */
  readonly redactor?: Redactor | undefined;
}

export interface ProgressNoteOptions {
  readonly feature: string;
  readonly agent: string;
  readonly text: string;
  readonly team?: string | undefined;
  readonly phase?: string | undefined;
  readonly status?: string | undefined;
  /** Marks a checkpoint that retention keeps. */
  readonly milestone?: string | undefined;
}

export interface NotedProgress {
  readonly checkpoint: CheckpointInfo;
  readonly progress: AgentProgress;
  readonly file: string;
}

/** Where the files are, below the project's root. */
export const PROGRESS_FOLDER = "docs/progress";

/** How often the file is written again because another process committed. */
const MAX_TRIES = 20;

/**
 * Records what an agent did: commits, then writes the agent's file. The text becomes `last_action` and a timed
 * note. What the agent wrote into the file by hand is imported first, and a malformed file is never overwritten.
 */
export async function noteProgress(
  context: ProgressContext,
  options: ProgressNoteOptions,
): Promise<NotedProgress> {
  const change = changeOf(options, context.now());
  const trail = progressTrailOf(context, change);
  const file = join(context.root, PROGRESS_FOLDER, progressFile(change));
  await importProgress(trail, file, context.redactor);
  let progress: AgentProgress | undefined;
  const checkpoint = await trail.commit(
    (draft) => {
      const before = progressIn(draft);
      progress = {
        phase: "research",
        status: "in_progress",
        ...before,
        ...change.fields,
        notes: [...(before?.notes ?? []), change.note],
      };
      return workOf(progress);
    },
    {
      trigger: options.milestone === undefined ? "task" : "phase",
      notes: options.milestone === undefined ? options.text : `${options.milestone}: ${options.text}`,
      agent_id: options.agent,
    },
  );
  await settleProgress(context, trail, file);
  return { checkpoint, progress: progress!, file };
}

function changeOf({ feature, agent, text, team, phase, status, milestone }: ProgressNoteOptions, now: Date) {
  const at = now.toISOString();
  const name = { feature: checkName("feature", feature), agent: checkName("agent", agent) };
  const fields = {
    ...name,
    ...(team !== undefined && { team: checkName("team", team) }),
    ...(phase !== undefined && { phase: checkWord("phase", phase, PHASES) }),
    ...(status !== undefined && { status: checkWord("status", status, STATUSES) }),
    last_action: text,
    updated: at,
  };
  const mark = milestone !== undefined && { milestone: checkWord("milestone", milestone, MILESTONES) };
  return { ...name, fields, note: { at, text, ...mark } };
}

export function progressTrailOf(
  { cairn }: Pick<ProgressContext, "cairn">,
  name: Pick<AgentProgress, "feature" | "agent">,
): Trail<WorkState> {
  return cairn.trail(progressTrail(name), { initial: emptyWorkState() });
}

/**
 * Brings the file and its trail together: imports what was written by hand, then writes what the file lacks, and again if
 * there was a commit in the meantime. A file that stays behind does no harm.
 */
export async function settleProgress(
  { root, redactor }: Pick<ProgressContext, "root" | "redactor">,
  trail: Trail<WorkState>,
  file: string,
): Promise<{ readonly progress: AgentProgress; readonly isNew: boolean }> {
  let isNew = false;
  for (let tries = 1; ; tries++) {
    const imported = await importProgress(trail, file, redactor);
    isNew ||= imported?.isNew ?? false;
    const { state, content_hash } = imported?.head ?? (await trail.load());
    const progress = progressIn(state)!;
    if (imported === undefined) writeAtomically(root, file, formatProgress(progress));
    else if (imported.isBehind) writeAtomically(root, file, editProgress(imported.text, progress));
    if (tries === MAX_TRIES || (await trail.head())?.content_hash === content_hash)
      return { progress, isNew };
  }
}
