import { CheckpointError } from "../errors.ts";
import type { CheckpointInfo } from "./document.ts";

export function noCheckpoint(trail: string): CheckpointError {
  return new CheckpointError("not-found", `There is no checkpoint in trail "${trail}" yet.`, {
    hint: "checkpoint now",
    details: { trail },
  });
}

export function noParent({ checkpoint_id, trail }: CheckpointInfo): CheckpointError {
  return new CheckpointError(
    "not-found",
    `Checkpoint ${checkpoint_id} is the first of trail "${trail}": nothing came before it.`,
    {
      hint: "checkpoint list",
      details: { id: checkpoint_id, trail },
    },
  );
}

export function trailExists(name: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a trail "${name}".`, {
    hint: "Choose another name: checkpoint list --all shows those in use.",
    details: { trail: name },
  });
}

export function runsRefuseUndo(name: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${name}" is the trail of a run: what its steps did outside cannot be undone here.`,
    {
      hint: "Fork it from an earlier checkpoint instead: checkpoint fork ID --as TRAIL",
      details: { trail: name },
    },
  );
}
