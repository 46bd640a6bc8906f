import { CheckpointError } from "../../errors.ts";
import { SCHEMA_VERSION, type CheckpointInfo } from "../document.ts";
import { findWrongField } from "../info-rules.ts";
import { parseTrailName } from "../names.ts";

/** Makes sure that a checkpoint from elsewhere says what ours say, in kind: its hash only proves that somebody wrote it. */
export function checkInfo(info: CheckpointInfo): void {
  const wrong = findWrongField(info);
  if (wrong) throw wrongField(wrong.field);
  if (info.schema_version > SCHEMA_VERSION) throw newer(info);
  parseTrailName(info.trail);
}

function wrongField(field: string): CheckpointError {
  return new CheckpointError("corrupt", `its field "${field}" is not what a checkpoint has there`);
}

function newer({ checkpoint_id, schema_version }: CheckpointInfo): CheckpointError {
  return new CheckpointError(
    "refused",
    `Checkpoint ${checkpoint_id} was written by a newer version of Cairn (schema ${schema_version}).`,
    {
      hint: "npm install cairn-checkpoint@latest",
      details: { schema_version, known: SCHEMA_VERSION },
    },
  );
}
