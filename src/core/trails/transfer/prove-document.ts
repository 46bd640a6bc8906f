import { CheckpointError } from "../../errors.ts";
import { encode } from "../../objects/encode.ts";
import { isObjectId } from "../../objects/object-id.ts";
import { SCHEMA_VERSION, writeCheckpoint, type CheckpointInfo } from "../document.ts";
import { parseTrailName } from "../names.ts";
import type { DocumentInfo, ParsedDocument } from "./flat-document.ts";

/**
 * Whether a document is, word for word, the checkpoint that its `content_hash` names. Equal states have equal roots,
 * so writing the checkpoint once more gives the same hash. False when the document does not claim to be one of
 * ours; `corrupt` when it claims so and was changed.
 */
export function proveDocument({ info, state }: ParsedDocument, source = "the document"): boolean {
  if (!isComplete(info)) return false;
  const { parent_hash, parent_checkpoint_id } = info;
  const parent = { content_hash: parent_hash, checkpoint_id: parent_checkpoint_id } as CheckpointInfo;
  const { object } = writeCheckpoint({
    ...info,
    trail: parseTrailName(info.trail),
    root: encode(state).memory.root,
    parent: parent_hash === null ? undefined : parent,
  });
  if (object.id === info.content_hash) return true;
  throw new CheckpointError(
    "corrupt",
    `"${source}" is not what its content_hash says: it was changed after it was written.`,
    {
      hint: 'Get the file again; or, if the change was meant, leave out the field "content_hash".',
      details: { source, expected: info.content_hash, found: object.id },
    },
  );
}

function isComplete(info: DocumentInfo): info is CheckpointInfo {
  const { content_hash, schema_version, trail, created_at, trigger } = info;
  const isOurs = schema_version === SCHEMA_VERSION && isObjectId(content_hash);
  return isOurs && trail !== null && created_at !== null && trigger !== null;
}
