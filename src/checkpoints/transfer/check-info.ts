import { CheckpointError } from "../../errors.ts";
import { isObjectId } from "../../objects/object-id.ts";
import { SCHEMA_VERSION, type CheckpointInfo } from "../document.ts";
import { parseTrailName } from "../names.ts";

const TEXTS = ["trigger", "created_at"] as const;
const OPTIONAL_TEXTS = ["notes", "session_id", "agent_id", "parent_checkpoint_id", "restored_from"] as const;

/** Makes sure that a checkpoint from elsewhere says what ours say, in kind: its hash only proves that somebody wrote it. */
export function checkInfo(info: CheckpointInfo): void {
  for (const field of TEXTS) if (typeof info[field] !== "string") throw wrongField(field);
  for (const field of OPTIONAL_TEXTS)
    if (info[field] !== null && typeof info[field] !== "string") throw wrongField(field);
  if (info.parent_hash !== null && !isObjectId(info.parent_hash)) throw wrongField("parent_hash");
  if (info.agent_tier !== null && !Number.isSafeInteger(info.agent_tier)) throw wrongField("agent_tier");
  if (!Number.isSafeInteger(Date.parse(info.created_at))) throw wrongField("created_at");
  if (!Number.isSafeInteger(info.schema_version)) throw wrongField("schema_version");
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
