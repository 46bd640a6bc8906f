import { CheckpointError, isCheckpointError } from "../errors.ts";
import type { JsonObject } from "../objects/json.ts";
import { linksOf, newValue, parseObject, type NewObject } from "../objects/object-format.ts";
import { isObjectId, objectIdOf, type ObjectId } from "../objects/object-id.ts";
import { damagedObject } from "../objects/read-tree.ts";
import type { Commit, StoredCheckpoint } from "../store/contract.ts";
import { checkpointIdOf, type CheckpointId } from "./names.ts";

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
  /** The caller's own name for what it saves, unique in the trail: a second commit with it is a `conflict`. */
  readonly foreignId?: string | undefined;
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

/**
 * Writes a checkpoint object. What it says is checked here, so that whatever is written can be read and imported; only
 * the name of the trail was checked by the caller.
 */
export function writeCheckpoint(checkpoint: NewCheckpoint): { info: CheckpointInfo; object: NewObject } {
  const { root, parent } = checkpoint;
  const fields = fieldsOf({
    ...checkpoint,
    trigger: checkpoint.trigger ?? "manual",
    parent_checkpoint_id: parent?.checkpoint_id,
    parent_hash: parent?.content_hash,
    schema_version: SCHEMA_VERSION,
  });
  checkFields(fields);
  // The order of the fields is part of the format. What is absent is left out; the state is linked.
  const body: Record<string, unknown> = { state: 0, trail: fields.trail };
  for (const field of INFO_FIELDS)
    if (fields[field] !== null && fields[field] !== undefined) body[field] = fields[field];
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

/** A checkpoint that is stored already, to be committed again: what it refers to is there. */
export function objectOf({ id, bytes }: Pick<StoredCheckpoint, "id" | "bytes">): NewObject {
  return { id, bytes, links: linksOf(bytes) };
}

/** The same as a change of a trail, whose head it may become again. */
export function commitOfStored(stored: StoredCheckpoint): Omit<Commit, "trail" | "head"> {
  const { parent, createdAt, foreignId } = stored;
  return { objects: [], checkpoint: objectOf(stored), parent, createdAt, foreignId };
}

export function infoOfStored({ id, bytes }: StoredCheckpoint): CheckpointInfo {
  return readCheckpoint(id, bytes).info;
}

/** Stands in a list for why a checkpoint was taken, where the checkpoint itself cannot tell any more. */
export const DAMAGED = "damaged";

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
      trigger: DAMAGED,
      schema_version: 0,
    });
    return infoOf(stored.id, fields);
  }
}

function infoOf(id: ObjectId, fields: InfoFields): CheckpointInfo {
  return { checkpoint_id: checkpointIdOf(fields.created_at, id), content_hash: id, ...fields };
}

/** The fields of a checkpoint among these, in their order, with null for what is absent; joins alone say `merged_from`. */
function fieldsOf(said: SaidFields): InfoFields {
  const fields: Record<string, unknown> = {};
  for (const field of INFO_FIELDS)
    if (field !== "merged_from" || said.merged_from) fields[field] = said[field] ?? null;
  return fields as unknown as InfoFields;
}

function notACheckpoint(id: ObjectId): CheckpointError {
  return new CheckpointError("corrupt", `Object ${id} is not a checkpoint.`, { hint: "checkpoint verify" });
}

/** What a checkpoint says itself; its id follows from it. */
export interface InfoFields {
  readonly created_at: string;
  readonly trail: string;
  readonly parent_checkpoint_id: CheckpointId | null;
  readonly parent_hash: ObjectId | null;
  readonly trigger: string;
  readonly notes: string | null;
  readonly session_id: string | null;
  readonly agent_id: string | null;
  readonly agent_tier: number | null;
  /** The checkpoint whose state this one brought back, for `restore`, `undo` and `fork`. */
  readonly restored_from: CheckpointId | null;
  /** The head of the other line, where a join brought two together that had diverged; absent otherwise. */
  readonly merged_from?: ObjectId;
  readonly schema_version: number;
}

type FieldRule = (value: unknown) => boolean;

const isText: FieldRule = (value) => typeof value === "string";
const orNull =
  (rule: FieldRule): FieldRule =>
  (value) =>
    value === null || rule(value);

/** As `Date.toISOString` writes it; other spellings would give ids that cannot be looked up. */
const ISO_DATE = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/**
 * What each field must be, in the order of the format, for what is written here and what comes from elsewhere alike:
 * so whatever is exported can be imported. The name of the trail has its own rules: see `parseTrailName`.
 */
const RULES: Readonly<Record<keyof InfoFields, readonly [wanted: string, rule: FieldRule]>> = {
  created_at: [
    "a date in ISO form",
    (value) => typeof value === "string" && ISO_DATE.test(value) && Number.isSafeInteger(Date.parse(value)),
  ],
  trail: ["a text", () => true],
  parent_checkpoint_id: ["a text", orNull(isText)],
  parent_hash: ["the hash of a checkpoint", orNull((value) => isText(value) && isObjectId(value))],
  trigger: ["a text that is not empty", (value) => isText(value) && value !== ""],
  notes: ["a text", orNull(isText)],
  session_id: ["a text", orNull(isText)],
  agent_id: ["a text", orNull(isText)],
  agent_tier: ["a whole number", orNull(Number.isSafeInteger)],
  restored_from: ["a text", orNull(isText)],
  merged_from: [
    "the hash of a checkpoint",
    (value) => value === undefined || (isText(value) && isObjectId(value)),
  ],
  schema_version: ["a whole number", Number.isSafeInteger],
};

const INFO_FIELDS = Object.keys(RULES) as (keyof InfoFields)[];

/** The first field that is not what a checkpoint has there, and what it should be. */
export function findWrongField(info: InfoFields): { field: string; wanted: string } | undefined {
  const field = INFO_FIELDS.find((name) => !RULES[name][1](info[name]));
  return field && { field, wanted: RULES[field][0] };
}
