import { basename } from "node:path";
import { readBounded } from "../machine/read-bounded.ts";
import type { Checkpoint } from "../../core/trails/document.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { WorkState } from "../state/work-state.ts";
import { CheckpointError, isCheckpointError } from "../../core/errors.ts";
import type { Redactor } from "../../core/redaction/redactor.ts";
import { formatProgress } from "./format-progress.ts";
import { findBase, mergeProgress } from "./merge-progress.ts";
import { parseProgress } from "./parse-progress.ts";
import { progressIn, workOf } from "./progress-work.ts";
import { progressTrail, type AgentProgress } from "./progress.ts";

export const MAX_PROGRESS_BYTES = 2 ** 20;

/** How often an import tries again after losing the race to another process. */
const MAX_TRIES = 20;

/** A file that was read, and the trail's head with all of its edits. */
export interface ImportedProgress {
  readonly text: string;
  readonly head: Checkpoint<WorkState>;
  /** Whether there was anything new in the file. */
  readonly isNew: boolean;
  /** Whether the trail holds more than the file. */
  readonly isBehind: boolean;
}

/** Commits what was written into the file by hand. Undefined if there is no such file; throws `usage` if it is malformed. */
export async function importProgress(
  trail: Trail<WorkState>,
  file: string,
  redactor?: Redactor,
): Promise<ImportedProgress | undefined> {
  const { bytes } = readBounded(file, MAX_PROGRESS_BYTES);
  if (bytes === undefined) return undefined;
  const text = bytes.toString("utf8");
  const written = parseProgress(text, file);
  const found =
    redactor === undefined ? written : (redactor.redact({ ...written } as never).value as AgentProgress);
  if (progressTrail(found) !== trail.name) throw belongsToOther(found, file);
  for (let tries = 1; ; tries++) {
    try {
      const isNew = await commitEdits(trail, found);
      const head = await trail.load();
      return { text, head, isNew, isBehind: !isSame(progressIn(head.state)!, found) };
    } catch (error) {
      // Another process has committed: what is an edit must be told from what is newer once more.
      if (!isCheckpointError(error, "conflict") || tries === MAX_TRIES) throw error;
    }
  }
}

async function commitEdits(trail: Trail<WorkState>, found: AgentProgress): Promise<boolean> {
  const known = (await trail.head()) === undefined ? undefined : progressIn((await trail.load()).state);
  if (known !== undefined && isSame(known, found)) return false;
  const merged = known === undefined ? found : mergeProgress(found, known, await findBase(trail, found));
  if (known !== undefined && isSame(known, merged)) return false;
  // A whole state, which conflicts unless the trail's head is still the one that was loaded.
  await trail.commit(workOf(merged), {
    trigger: "task",
    notes: `Read from the file: ${merged.last_action}`,
    agent_id: merged.agent,
  });
  return true;
}

/** Names may contain dashes, so `a-b` with agent `c` and `a` with agent `b-c` have one file. */
function belongsToOther({ feature, agent }: AgentProgress, file: string): CheckpointError {
  const message = `${basename(file)} is the progress file of agent "${agent}" for feature "${feature}".`;
  return new CheckpointError("usage", message, {
    hint: "Choose another name for the feature or the agent: both together name the file.",
    details: { file, feature, agent },
  });
}

/** Whether two states are the same in a file, which has the times of notes by the minute. */
const isSame = (a: AgentProgress, b: AgentProgress) => formatProgress(a) === formatProgress(b);
