import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { parseTrailName } from "../../checkpoints/names.ts";
import { chooseTrail, refuseOwned, trailToWrite } from "../choose-trail.ts";
import { cleanNotes } from "../commit-work.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import type { FORK, RESTORE, UNDO } from "./schemas.ts";

export type RestoreInput = InputOf<typeof RESTORE>;

export interface HistoryResult {
  readonly checkpoint: CheckpointInfo;
}

/** Brings the state of an earlier checkpoint back, as a new head. */
export async function restore(project: Project, { trail, id, notes }: RestoreInput): Promise<HistoryResult> {
  const name = trailToWrite(project, trail);
  const said = await cleanNotes(project, notes, trail);
  const cairn = await project.stores.open(project, "write");
  return { checkpoint: await cairn.trail(name).restore(id, said) };
}

export type UndoInput = InputOf<typeof UNDO>;

export interface UndoResult extends HistoryResult {
  /** What was the head before. */
  readonly undone: string | null;
}

/** Takes the newest change back. Called again, it goes one step further back. */
export async function undo(project: Project, { trail, notes }: UndoInput): Promise<UndoResult> {
  const name = trailToWrite(project, trail);
  const said = await cleanNotes(project, notes);
  const cairn = await project.stores.open(project, "write");
  const checkpoint = await cairn.trail(name).undo(said);
  return { checkpoint, undone: checkpoint.parent_checkpoint_id };
}

export type ForkInput = InputOf<typeof FORK>;

/** Starts a new trail from a checkpoint. */
export async function fork(project: Project, { trail, id, as, notes }: ForkInput): Promise<HistoryResult> {
  const name = parseTrailName(as);
  refuseOwned(name);
  const from = chooseTrail(project, trail).name;
  const said = await cleanNotes(project, notes, name);
  const cairn = await project.stores.open(project, "write");
  const forked = await cairn.trail(from).fork(name, { ...said, ...(id === undefined ? {} : { id }) });
  return { checkpoint: (await forked.head()) as CheckpointInfo };
}
