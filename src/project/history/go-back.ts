import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { parseTrailName } from "../../checkpoints/names.ts";
import { chooseTrail, refuseOwned, trailToWrite } from "../choose-trail.ts";
import { cleanNotes } from "../commit-work.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../schema-parts.ts";
import type { FORK, RESTORE, UNDO } from "./schemas.ts";

/** Brings the state of an earlier checkpoint back, as a new head. */
export async function restore(project: Project, { trail, id, notes }: InputOf<typeof RESTORE>) {
  const name = trailToWrite(project, trail);
  const said = await cleanNotes(project, notes, trail);
  const cairn = await project.stores.open(project, "write", "history.restore");
  return { checkpoint: await cairn.trail(name).restore(id, said) };
}

/** Takes the newest change back. Called again, it goes one step further back. */
export async function undo(project: Project, { trail, notes }: InputOf<typeof UNDO>) {
  const name = trailToWrite(project, trail);
  const said = await cleanNotes(project, notes);
  const cairn = await project.stores.open(project, "write", "history.undo");
  const checkpoint = await cairn.trail(name).undo(said);
  return { checkpoint, undone: checkpoint.parent_checkpoint_id };
}

/** Starts a new trail from a checkpoint. */
export async function fork(project: Project, { trail, id, as, notes }: InputOf<typeof FORK>) {
  const name = parseTrailName(as);
  refuseOwned(name);
  const from = chooseTrail(project, trail).name;
  const said = await cleanNotes(project, notes, name);
  const cairn = await project.stores.open(project, "write", "history.fork");
  const forked = await cairn.trail(from).fork(name, { ...said, ...(id === undefined ? {} : { id }) });
  return { checkpoint: (await forked.head()) as CheckpointInfo };
}
