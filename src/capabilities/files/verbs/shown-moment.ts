import type { Snapshot } from "../snapshot/snapshots.ts";

/** A moment whose files are known, as verbs return it. */
export function shownMoment({ info, why, turn, by, tools, files, failed }: Snapshot) {
  const { checkpoint_id, created_at, session_id } = info;
  return { checkpoint_id, created_at, why, turn, session_id, by: [...by], tools: [...tools], files, failed };
}
