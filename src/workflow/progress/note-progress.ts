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
  type Progress,
} from "./progress.ts";
import { writeAtomically } from "./write-atomically.ts";

export interface ProgressContext {
  readonly cairn: Cairn;
  readonly root: string;
  readonly now: () => Date;
  /** Where the files are, below the root: `docs/progress` unless given. */
  readonly progressFolder?: string;
  /** Takes secrets out of what agents wrote by hand, before it is stored. */
  readonly redactor?: Redactor;
}

export interface NoteOptions {
  readonly feature: string;
  readonly agent: string;
  readonly text: string;
  readonly team?: string | undefined;
  readonly phase?: string | undefined;
  readonly status?: string | undefined;
  /** A moment that gets a checkpoint of its own kind, which stays. */
  readonly milestone?: string | undefined;
}

export interface Noted {
  readonly checkpoint: CheckpointInfo;
  readonly progress: Progress;
  readonly file: string;
}

/** Where the files are, below the project's root, unless somebody says otherwise. */
export const PROGRESS_FOLDER = "docs/progress";

export const MAX_PROGRESS_BYTES = 2 ** 20;

export const progressFolder = ({
  root,
  progressFolder = PROGRESS_FOLDER,
}: Pick<ProgressContext, "root" | "progressFolder">): string => join(root, progressFolder);

/**
 * Notes what an agent did: commits, then writes the agent's file. The text becomes `last_action` and a timed
 * note. What the agent wrote into the file by hand is read in first, and a malformed file is never overwritten.
 */
export async function noteProgress(context: ProgressContext, options: NoteOptions): Promise<Noted> {
  const change = changeOf(options, context.now());
  const trail = trailOf(context, change);
  const file = join(progressFolder(context), progressFile(change));
  await readIn(trail, file, context.redactor);
  let progress: Progress | undefined;
  const checkpoint = await trail.commit(
    (draft) => {
      const before = draft.feature === undefined ? undefined : draft;
      progress = {
        ...before,
        phase: "research",
        status: "in_progress",
        ...keep(before),
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
  await writeNewest(trail, file);
  return { checkpoint, progress: progress!, file };
}

const keep = (before: Progress | undefined) =>
  before === undefined ? {} : { phase: before.phase, status: before.status };

function changeOf({ feature, agent, text, team, phase, status, milestone }: NoteOptions, now: Date) {
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
  return {
    ...name,
    fields,
    note: {
      at,
      text,
      ...(milestone !== undefined && { milestone: checkWord("milestone", milestone, MILESTONES) }),
    },
  };
}

export function trailOf(
  { cairn }: Pick<ProgressContext, "cairn">,
  name: Pick<Progress, "feature" | "agent">,
): Trail<Progress> {
  return cairn.trail<Progress>(progressTrail(name), { initial: {} as Progress });
}

/** Commits what somebody wrote into the file by hand. Returns whether there was anything new. */
export async function readIn(trail: Trail<Progress>, file: string, redactor?: Redactor): Promise<boolean> {
  const { bytes } = readBounded(file, MAX_PROGRESS_BYTES);
  if (bytes === undefined) return false;
  const known = (await trail.head()) === undefined ? undefined : (await trail.load()).state;
  const text = bytes.toString("utf8");
  if (known !== undefined && text === formatProgress(known)) return false;
  const found = parseProgress(text, file, known?.notes);
  const progress =
    redactor === undefined ? found : (redactor.redact({ ...found } as never).value as Progress);
  if (known !== undefined && formatProgress(progress) === formatProgress(known)) return false;
  await trail.commit(() => progress, {
    trigger: "task",
    notes: `Read from the file: ${progress.last_action}`,
    agent_id: progress.agent,
  });
  return true;
}

/** Writes the newest state, again if somebody has committed meanwhile: the file never falls behind for good. */
async function writeNewest(trail: Trail<Progress>, file: string): Promise<void> {
  for (;;) {
    const { state, content_hash } = await trail.load();
    writeAtomically(file, formatProgress(state));
    if ((await trail.head())?.content_hash === content_hash) return;
  }
}
