import { newBytes, newValue, type NewObject } from "../../core/objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../../core/objects/object-id.ts";
import type { Commit } from "../../core/store/contract.ts";

/** An object that holds a label and refers to others. */
export function valueOf(
  label: unknown,
  children: readonly NewObject[] = [],
  predecessor?: ObjectId,
): NewObject {
  return newValue("V", body(label, children), links(children), predecessor);
}

function checkpointOf(label: unknown, children: readonly NewObject[] = []): NewObject {
  return newValue("C", body(label, children), links(children));
}

/** Raw bytes: what compresses well, then a part that does not, with bytes that are no text. */
export function rawOf(label: string, predecessor?: ObjectId): NewObject {
  const noise = Buffer.from(objectIdOf(Buffer.from(label)), "hex");
  const lines = Array.from({ length: 400 }, (_, line) => `line ${line}\r\n`).join("");
  return newBytes(Buffer.concat([Buffer.from(lines), noise, Buffer.from([0, 0xff, 0x28, 10])]), predecessor);
}

/** An id that no store knows. */
export function unknownId(label = "nowhere"): ObjectId {
  return objectIdOf(new TextEncoder().encode(label));
}

export interface ChangeOptions {
  readonly trail?: string;
  /** The head that is expected. `stay`: the head is not moved. By default the trail has no head yet. */
  readonly from?: ObjectId | "stay" | undefined;
  /** By default the head that is expected. */
  readonly parent?: ObjectId | undefined;
  readonly createdAt?: number;
  readonly foreignId?: string;
  /** Objects besides the two that every change brings. */
  readonly objects?: readonly NewObject[];
}

/** A change with a state of its own, two levels deep: the checkpoint, a root, a leaf. */
export function changeOf(label: unknown, options: ChangeOptions = {}): Commit {
  const leaf = valueOf(["leaf", label]);
  const root = valueOf(["root", label], [leaf, ...(options.objects ?? [])]);
  return { ...changeWith(label, root, options), objects: [...(options.objects ?? []), leaf, root] };
}

/** A change that brings nothing but its checkpoint: `root` must be in the store already. */
export function changeWith(label: unknown, root: NewObject, options: ChangeOptions = {}): Commit {
  const { trail = "main", from, createdAt = 0 } = options;
  const expected = from === "stay" ? undefined : from;
  return {
    objects: [],
    checkpoint: checkpointOf([trail, label], [root]),
    trail,
    parent: "parent" in options ? options.parent : expected,
    createdAt,
    ...(from !== "stay" && { head: { from: expected } }),
    ...(options.foreignId !== undefined && { foreignId: options.foreignId }),
  };
}

/** Enough that commits which are sent together overlap, even when a server handles one faster than the next one arrives. */
const RECORDS = 600;

/** The same change with many records: a commit of it takes long, most of that after the store has checked and numbered it. */
export function prolonged(change: Commit): Commit {
  const value = new Uint8Array(1);
  return { ...change, records: new Map(Array.from({ length: RECORDS }, (_, at) => [`record ${at}`, value])) };
}

/** All objects of a change, its checkpoint last. */
export function objectsOf(change: Commit): NewObject[] {
  return [...change.objects, change.checkpoint];
}

export function idsOf(objects: readonly { readonly id: ObjectId }[]): ObjectId[] {
  return objects.map(({ id }) => id);
}

function body(label: unknown, children: readonly NewObject[]): string {
  return JSON.stringify({ label, children: children.map(() => 0) });
}

function links(children: readonly NewObject[]) {
  return children.map(({ id }, index) => ({ path: ["children", index], target: id }));
}
