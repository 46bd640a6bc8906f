import type { Cairn } from "../../state/cairn.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { parseTrailName } from "../../../core/trails/names.ts";
import { findPart } from "../capability.ts";
import { chooseTrail, refuseOwned, trailToWrite } from "../choose-trail.ts";
import { cleanNotes } from "../commit-work.ts";
import { unlessDamaged } from "../reading/newest-whole.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { HISTORY } from "./verbs.ts";

/** Brings the state of an earlier checkpoint back, as a new head. */
export async function restore(project: Project, { trail, id, notes }: InputOf<(typeof HISTORY)["restore"]>) {
  const name = trailToWrite(project, trail);
  const said = await cleanNotes(project, notes, trail);
  const cairn = await project.stores.open(project, "write", "history.restore");
  const checkpoint = await cairn.trail(name).restore(id, said);
  return { checkpoint, can_revert: await canRevert(cairn, checkpoint) };
}

/** Takes the newest change back, a rewind of files included. Called again, it goes one step further back. */
export async function undo(project: Project, { trail, notes }: InputOf<(typeof HISTORY)["undo"]>) {
  const snapshots = trail === undefined ? await findPart(project, "snapshots") : undefined;
  const rewound = await snapshots?.undoRewind(project);
  if (rewound !== undefined) {
    const { checkpoint, undone, ...files } = rewound;
    return { checkpoint, undone, can_revert: true, files };
  }
  const name = trailToWrite(project, trail);
  const said = await cleanNotes(project, notes);
  const cairn = await project.stores.open(project, "write", "history.undo");
  const checkpoint = await cairn.trail(name).undo(said);
  const can_revert = await canRevert(cairn, checkpoint);
  return { checkpoint, undone: checkpoint.parent_checkpoint_id, can_revert, files: undefined };
}

/** Whether the way back leads to a checkpoint that can be loaded: people go back because of damage, too. */
async function canRevert(cairn: Cairn, { trail, parent_hash }: CheckpointInfo): Promise<boolean> {
  if (parent_hash === null) return false;
  return (await unlessDamaged(() => cairn.trail(trail).load(parent_hash), "not-found")) !== undefined;
}

/** Starts a new trail from a checkpoint. */
export async function fork(project: Project, { trail, id, as, notes }: InputOf<(typeof HISTORY)["fork"]>) {
  const name = parseTrailName(as);
  refuseOwned(name);
  const from = chooseTrail(project, trail).name;
  const said = await cleanNotes(project, notes, name);
  const cairn = await project.stores.open(project, "write", "history.fork");
  const forked = await cairn.trail(from).fork(name, { ...said, ...(id === undefined ? {} : { id }) });
  return { checkpoint: (await forked.head()) as CheckpointInfo };
}
