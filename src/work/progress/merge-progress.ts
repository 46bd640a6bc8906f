import type { Trail } from "../../core/trails/trail.ts";
import type { WorkState } from "../state/work-state.ts";
import { formatNote } from "./format-progress.ts";
import { progressIn } from "./progress-work.ts";
import { PROGRESS_FIELDS, type AgentProgress, type ProgressNote } from "./progress.ts";

/** How far back the state is looked for that a file was written from. */
const MAX_STEPS_BACK = 200;

/**
 * What an agent wrote into its file, on top of what the trail holds. The file may be behind: another process has
 * committed and not written yet, it was killed before it did, or git brought an older file back. So only what differs
 * from `base`, the state that the file was written from, is an edit; everything newer stays.
 */
export function mergeProgress(
  found: AgentProgress,
  known: AgentProgress,
  base: AgentProgress | undefined,
): AgentProgress {
  const fields = PROGRESS_FIELDS.map((field) => {
    const isEdited = found[field] !== base?.[field];
    return [field, isEdited ? found[field] : known[field]] as const;
  });
  const { matched, missing } = compareNotes(found.notes, known.notes);
  const newer = new Set(compareNotes(base?.notes ?? [], known.notes).missing);
  return {
    ...(Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as unknown as AgentProgress),
    notes: [...matched, ...missing.filter((note) => newer.has(note))],
  };
}

/**
 * The newest state that the file shows: one whose last note is in it, or, where that was changed, the only one with its
 * `updated`. Undefined when there is none, as for a file that was written anew.
 */
export async function findBase(
  trail: Trail<WorkState>,
  found: AgentProgress,
): Promise<AgentProgress | undefined> {
  let later: AgentProgress | undefined;
  for (const { checkpoint_id } of await trail.history({ limit: MAX_STEPS_BACK })) {
    const state = progressIn((await trail.load(checkpoint_id)).state);
    if (state === undefined) continue;
    if (later?.updated === found.updated && state.updated !== found.updated) return later;
    const last = state.notes.at(-1);
    if (last !== undefined && !compareNotes(found.notes, state.notes).missing.includes(last)) return state;
    later = state;
  }
  return later?.updated === found.updated ? later : undefined;
}

/** The file's notes, those that are known with their full date, and the known notes that are not in the file. */
function compareNotes(
  found: readonly ProgressNote[],
  known: readonly ProgressNote[],
): { matched: ProgressNote[]; missing: ProgressNote[] } {
  const byLine = Map.groupBy(known, formatNote);
  const matched = found.map((note) => byLine.get(formatNote(note))?.shift() ?? note);
  const used = new Set(matched);
  return { matched, missing: known.filter((note) => !used.has(note)) };
}
