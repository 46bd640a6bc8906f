import { CheckpointError, isCheckpointError } from "../errors.ts";
import { linkedIds, parseObject, type ParsedObject } from "./object-format.ts";
import { objectIdOf, type ObjectId } from "./object-id.ts";

/** Reads objects in one round trip. What is missing is left out of the result. */
export type ReadObjects = (ids: readonly ObjectId[]) => Promise<ReadonlyMap<ObjectId, Uint8Array>>;

/**
 * Reads objects and all that they refer to, each checked against its name, level by level: each level is one round trip
 * for all of them.
 */
export async function readTrees(
  roots: readonly ObjectId[],
  read: ReadObjects,
): Promise<Map<ObjectId, ParsedObject>> {
  const parsed = new Map<ObjectId, ParsedObject>();
  for (let wanted = [...new Set(roots)]; wanted.length > 0;) {
    const found = await readParsed(wanted, read);
    for (const [id, object] of found) parsed.set(id, object);
    const linked = new Set([...found.values()].flatMap(linkedIds));
    wanted = [...linked].filter((id) => !parsed.has(id));
  }
  return parsed;
}

/** Reads objects that must be there, in one round trip, and takes them apart. */
export async function readParsed(
  ids: readonly ObjectId[],
  read: ReadObjects,
): Promise<Map<ObjectId, ParsedObject>> {
  const found = await readChecked(ids, read);
  return new Map([...found].map(([id, bytes]) => [id, parseObject(bytes)]));
}

/** Reads objects that must be there, and makes sure that they are what their names say. */
export async function readChecked(
  ids: readonly ObjectId[],
  read: ReadObjects,
): Promise<Map<ObjectId, Uint8Array>> {
  const found = await read(ids);
  const checked = new Map<ObjectId, Uint8Array>();
  for (const id of ids) {
    const bytes = found.get(id);
    if (bytes === undefined) throw missingObject(id);
    if (objectIdOf(bytes) !== id) throw damagedObject(id);
    checked.set(id, bytes);
  }
  return checked;
}

/** What holds if it is part of a trail's head; for anything else it changes nothing. */
const GO_ON = "To go on from the newest checkpoint that is whole: checkpoint verify --repair";

function missingObject(id: ObjectId): CheckpointError {
  return new CheckpointError("corrupt", `Object ${id} is missing from the store.`, {
    hint: GO_ON,
    details: { object: id, damage: "missing" },
  });
}

/** Whether an object was looked for and not found, as opposed to damaged. */
export function isMissingObject(error: unknown): boolean {
  return isCheckpointError(error, "corrupt") && error.details["damage"] === "missing";
}

export function damagedObject(id: ObjectId): CheckpointError {
  return new CheckpointError("corrupt", `Object ${id} is damaged: its content does not match its name.`, {
    hint: GO_ON,
    details: { object: id, damage: "damaged" },
  });
}
