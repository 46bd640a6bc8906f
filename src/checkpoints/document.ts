import { CheckpointError, isCheckpointError } from "../errors.ts";
import type { JsonObject } from "../objects/json.ts";
import { newValue, parseObject, type NewObject } from "../objects/object-format.ts";
import { isObjectId, objectIdOf, type ObjectId } from "../objects/object-id.ts";
import { damagedObject } from "../objects/read-tree.ts";
import type { StoredCheckpoint } from "../store/contract.ts";
import { checkpointIdOf, type CheckpointId } from "./checkpoint-id.ts";
import { findWrongField, INFO_FIELDS, type InfoFields } from "./info-rules.ts";
import { parseTrailName } from "./names.ts";

export const SCHEMA_VERSION = 1;

/** Who, when and why: what a checkpoint says besides its state, and what it is called. */
export interface CheckpointInfo extends InfoFields {
  readonly checkpoint_id: CheckpointId;
  /** The SHA-256 of the checkpoint object: proves every field here, the state and the whole history. */
  readonly content_hash: ObjectId;
}

/** A checkpoint with its state. */
export interface Checkpoint<State = JsonObject> extends CheckpointInfo {
  readonly state: State;
}

/** A checkpoint whose state is not loaded: what it says, and where its state is. */
export interface UnloadedCheckpoint {
  readonly info: CheckpointInfo;
  readonly root: ObjectId;
}

/** What the caller of a commit may say about it. */
export interface CommitNotes {
  readonly notes?: string | undefined;
  /** Why it was taken: `manual`, `phase`, `task`, `step`, `approval`, `error`, `hook:<event>` … */
  readonly trigger?: string | undefined;
  readonly session_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly agent_tier?: number | null | undefined;
}

export interface CommitOptions extends CommitNotes {
  /** Saves nothing if the head holds the same state already: resolves to the head then, with `unchanged: true`. */
  readonly ifChanged?: boolean | undefined;
}

/** The checkpoint that a commit saved, or, with `ifChanged`, the head that it left alone. */
export interface Committed extends CheckpointInfo {
  /** Nothing was saved, because the head holds this state already. */
  readonly unchanged?: true;
}

/** What is said of a checkpoint. Null and undefined both stand for what is absent. */
type SaidFields = { readonly [Field in keyof InfoFields]?: InfoFields[Field] | null | undefined };

interface NewCheckpoint extends Omit<SaidFields, "parent_checkpoint_id" | "parent_hash" | "schema_version"> {
  readonly root: ObjectId;
  readonly trail: string;
  readonly created_at: string;
  readonly parent: Pick<CheckpointInfo, "checkpoint_id" | "content_hash"> | undefined;
}

/** Writes a checkpoint object. What it says is checked here, so that whatever is written can be read and imported. */
export function writeCheckpoint(checkpoint: NewCheckpoint): { info: CheckpointInfo; object: NewObject } {
  const { root, parent } = checkpoint;
  const fields = fieldsOf({
    ...checkpoint,
    trail: parseTrailName(checkpoint.trail),
    trigger: checkpoint.trigger ?? "manual",
    parent_checkpoint_id: parent?.checkpoint_id,
    parent_hash: parent?.content_hash,
    schema_version: SCHEMA_VERSION,
  });
  checkFields(fields);
  // The order of the fields is part of the format. What is absent is left out; the state is linked.
  const present = Object.entries(fields).filter(([, value]) => value !== null);
  const body = { state: 0, trail: fields.trail, ...Object.fromEntries(present) };
  const links = [{ path: ["state"], target: root }];
  const object = newValue("C", JSON.stringify(body), links, parent?.content_hash);
  return { info: infoOf(object.id, fields), object };
}

function checkFields(fields: InfoFields): void {
  const wrong = findWrongField(fields);
  if (wrong === undefined) return;
  const { field, wanted } = wrong;
  throw new CheckpointError("usage", `The field "${field}" of a checkpoint is not ${wanted}.`, {
    hint: `Give ${wanted} for "${field}", or leave it out.`,
    details: { field },
  });
}

/** Reads a checkpoint object. The bytes are checked against the id they were stored under. */
export function readCheckpoint(id: ObjectId, bytes: Uint8Array): UnloadedCheckpoint {
  if (objectIdOf(bytes) !== id) throw damagedObject(id);
  const object = parseObject(bytes);
  if (object.kind !== "C") throw notACheckpoint(id);
  const root = object.links[0]?.target;
  const body = JSON.parse(object.body) as Partial<InfoFields> | null;
  if (!isObjectId(root) || typeof body?.created_at !== "string") throw notACheckpoint(id);
  return { info: infoOf(id, fieldsOf(body)), root };
}

export function infoOfStored({ id, bytes }: StoredCheckpoint): CheckpointInfo {
  return readCheckpoint(id, bytes).info;
}

/** What a list shows. A damaged checkpoint is listed as damaged, so that it does not hide the others. */
export function infoOrDamage(stored: StoredCheckpoint): CheckpointInfo {
  try {
    return infoOfStored(stored);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    const created_at = new Date(Math.abs(stored.createdAt) < 8e15 ? stored.createdAt : 0).toISOString();
    const fields = fieldsOf({
      trail: stored.trail,
      created_at,
      parent_hash: stored.parent,
      trigger: "damaged",
      notes: "damaged: checkpoint verify",
      schema_version: 0,
    });
    return infoOf(stored.id, fields);
  }
}

function infoOf(id: ObjectId, fields: InfoFields): CheckpointInfo {
  return { checkpoint_id: checkpointIdOf(fields.created_at, id), content_hash: id, ...fields };
}

/** The fields of a checkpoint among these, in their order, with null for what is absent. */
function fieldsOf(said: {
  readonly [Field in keyof InfoFields]?: InfoFields[Field] | undefined;
}): InfoFields {
  return Object.fromEntries(
    INFO_FIELDS.map((field) => [field, said[field] ?? null]),
  ) as unknown as InfoFields;
}

function notACheckpoint(id: ObjectId): CheckpointError {
  return new CheckpointError("corrupt", `Object ${id} is not a checkpoint.`, { hint: "checkpoint verify" });
}
