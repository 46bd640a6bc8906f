import { CheckpointError, isCheckpointError } from "../errors.ts";
import type { JsonObject } from "../objects/json.ts";
import { newValue, parseObject, type NewObject } from "../objects/object-format.ts";
import { isObjectId, objectIdOf, type ObjectId } from "../objects/object-id.ts";
import { damagedObject } from "../objects/read-tree.ts";
import type { StoredCheckpoint } from "../store/contract.ts";
import { checkpointIdOf, type CheckpointId } from "./checkpoint-id.ts";
import { findWrongField, type InfoFields } from "./info-rules.ts";
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

/** A checkpoint as it is stored: what it says, and where its state is. */
export interface StoredHead {
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

export interface NewCheckpoint extends CommitNotes {
  readonly root: ObjectId;
  readonly trail: string;
  readonly created_at: string;
  readonly parent: CheckpointInfo | undefined;
  readonly restored_from?: CheckpointId | undefined;
}

/** The body of a checkpoint object; the state is linked. What is absent is left out. */
interface Body {
  readonly state: 0;
  readonly trail: string;
  readonly created_at: string;
  readonly parent_checkpoint_id?: CheckpointId;
  readonly parent_hash?: ObjectId;
  readonly trigger: string;
  readonly notes?: string;
  readonly session_id?: string;
  readonly agent_id?: string;
  readonly agent_tier?: number;
  readonly restored_from?: CheckpointId;
  readonly schema_version: number;
}

/** Writes a checkpoint object. What it says is checked here, so that whatever is written can be read and imported. */
export function writeCheckpoint(checkpoint: NewCheckpoint): { info: CheckpointInfo; object: NewObject } {
  const { parent } = checkpoint;
  // JavaScript callers say null for what is absent, too: then the field is left out.
  const body = {
    state: 0,
    trail: parseTrailName(checkpoint.trail),
    created_at: checkpoint.created_at,
    parent_checkpoint_id: parent?.checkpoint_id ?? undefined,
    parent_hash: parent?.content_hash ?? undefined,
    trigger: checkpoint.trigger ?? "manual",
    notes: checkpoint.notes ?? undefined,
    session_id: checkpoint.session_id ?? undefined,
    agent_id: checkpoint.agent_id ?? undefined,
    agent_tier: checkpoint.agent_tier ?? undefined,
    restored_from: checkpoint.restored_from ?? undefined,
    schema_version: SCHEMA_VERSION,
  };
  const links = [{ path: ["state"], target: checkpoint.root }];
  const fields = fieldsOf(body as Body);
  checkFields(fields);
  const object = newValue("C", JSON.stringify(body), links, body.parent_hash);
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
export function readCheckpoint(id: ObjectId, bytes: Uint8Array): StoredHead {
  if (objectIdOf(bytes) !== id) throw damagedObject(id);
  const object = parseObject(bytes);
  if (object.kind !== "C") throw notACheckpoint(id);
  const root = object.links[0]?.target;
  const body = JSON.parse(object.body) as Body | null;
  if (!isObjectId(root) || typeof body?.created_at !== "string") throw notACheckpoint(id);
  return { info: infoOf(id, fieldsOf(body)), root };
}

export function infoOfStored({ id, bytes }: StoredCheckpoint): CheckpointInfo {
  return readCheckpoint(id, bytes).info;
}

/** What a list shows. One damaged checkpoint must not hide the others: it is listed as such. */
export function infoOrDamage(stored: StoredCheckpoint): CheckpointInfo {
  try {
    return infoOfStored(stored);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    const created_at = new Date(Math.abs(stored.createdAt) < 8e15 ? stored.createdAt : 0).toISOString();
    const body = {
      state: 0,
      trail: stored.trail,
      created_at,
      trigger: "damaged",
      schema_version: 0,
    } as const;
    return {
      ...infoOf(stored.id, fieldsOf(body)),
      parent_hash: stored.parent ?? null,
      notes: "damaged: checkpoint verify",
    };
  }
}

function infoOf(id: ObjectId, fields: InfoFields): CheckpointInfo {
  return { checkpoint_id: checkpointIdOf(fields.created_at, id), content_hash: id, ...fields };
}

/** What the body says, with null for what it leaves out. */
function fieldsOf(body: Body): InfoFields {
  return {
    created_at: body.created_at,
    trail: body.trail,
    parent_checkpoint_id: body.parent_checkpoint_id ?? null,
    parent_hash: body.parent_hash ?? null,
    trigger: body.trigger,
    notes: body.notes ?? null,
    session_id: body.session_id ?? null,
    agent_id: body.agent_id ?? null,
    agent_tier: body.agent_tier ?? null,
    restored_from: body.restored_from ?? null,
    schema_version: body.schema_version,
  };
}

function notACheckpoint(id: ObjectId): CheckpointError {
  return new CheckpointError("corrupt", `Object ${id} is not a checkpoint.`, { hint: "checkpoint verify" });
}
