import { join } from "node:path";

import { readBounded } from "../../capture/files/read-bounded.ts";
import type { Cairn } from "../../checkpoints/cairn.ts";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import type { Trail } from "../../checkpoints/trail.ts";
import { formatProgress } from "./format-progress.ts";
import { parseProgress } from "./parse-progress.ts";
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
import { writeAtomically } from "./write-atomically.ts";

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

export const MAX_PROGRESS_BYTES = 2 ** 20;

/**
 * Records what an agent did: commits, then writes the agent's file. The text becomes `last_action` and a timed
 * note. What the agent wrote into the file by hand is imported first, and a malformed file is never overwritten.
 */
export async function noteProgress(
  context: ProgressContext,
  options: ProgressNoteOptions,
): Promise<NotedProgress> {
  const change = changeOf(options, context.now());
  const trail = trailOf(context, change);
  const file = join(context.root, PROGRESS_FOLDER, progressFile(change));
  await importProgress(trail, file, context.redactor);
  let progress: AgentProgress | undefined;
  const checkpoint = await trail.commit(
    (draft) => {
      const before = draft.feature === undefined ? undefined : draft;
      progress = {
        phase: "research",
        status: "in_progress",
        ...before,
        ...change.fields,
        notes: [...(before?.notes ?? []), change.note],
      };
      return progress;
    },
    {
      trigger: options.milestone === undefined ? "task" : "phase",
      notes: options.milestone === undefined ? options.text : `${options.milestone}: ${options.text}`,
      agent_id: options.agent,
    },
  );
  await writeNewest(context, trail, file);
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

export function trailOf(
  { cairn }: Pick<ProgressContext, "cairn">,
  name: Pick<AgentProgress, "feature" | "agent">,
): Trail<AgentProgress> {
  return cairn.trail<AgentProgress>(progressTrail(name), { initial: {} as AgentProgress });
}

/** Commits what was written into the file by hand. Returns whether there was anything new. */
export async function importProgress(
  trail: Trail<AgentProgress>,
  file: string,
  redactor?: Redactor,
): Promise<boolean> {
  const { bytes } = readBounded(file, MAX_PROGRESS_BYTES);
  if (bytes === undefined) return false;
  const known = (await trail.head()) === undefined ? undefined : (await trail.load()).state;
  const text = bytes.toString("utf8");
  if (known !== undefined && text === formatProgress(known)) return false;
  const found = parseProgress(text, file, known?.notes);
  const progress =
    redactor === undefined ? found : (redactor.redact({ ...found } as never).value as AgentProgress);
  if (known !== undefined && formatProgress(progress) === formatProgress(known)) return false;
  await trail.commit(() => progress, {
    trigger: "task",
    notes: `Read from the file: ${progress.last_action}`,
    agent_id: progress.agent,
  });
  return true;
}

/** Writes the newest state, and again if there was a commit in the meantime: the file never stays behind. */
async function writeNewest(
  { root }: Pick<ProgressContext, "root">,
  trail: Trail<AgentProgress>,
  file: string,
): Promise<void> {
  for (;;) {
    const { state, content_hash } = await trail.load();
    writeAtomically(root, file, formatProgress(state));
    if ((await trail.head())?.content_hash === content_hash) return;
  }
}
