import { CheckpointError, isCheckpointError } from "../../core/errors.ts";
import type { Remote, Version } from "./contract.ts";
import { damagedDocument, damagedPack } from "./damage.ts";
import { headDocument, manifestDocument, type PackRef, type RemoteHead } from "./documents.ts";
import type { Sealing } from "./sealing.ts";

/** A remote as push and pull see it: sealed names and contents, heads, manifests and packs. */
export interface RemoteTrails {
  readonly remote: Remote;
  readonly sealing: Sealing;
}

/** A head as it was read, and what is needed to move it. */
export interface ReadHead {
  readonly head: RemoteHead;
  readonly version: Version;
}

export function readRemoteHead(trails: RemoteTrails, trail: string): Promise<ReadHead | undefined> {
  return readHeadNamed(trails, trails.sealing.nameOf("heads", trail));
}

/** For a caller that replaces the head in any case: of a damaged one, only the version is known. */
export async function readHeadToReplace(
  trails: RemoteTrails,
  trail: string,
): Promise<Partial<ReadHead> | undefined> {
  try {
    return await readRemoteHead(trails, trail);
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    const kept = await trails.remote.get(trails.sealing.nameOf("heads", trail));
    return kept && { version: kept.version };
  }
}

async function readHeadNamed({ remote, sealing }: RemoteTrails, name: string): Promise<ReadHead | undefined> {
  const kept = await remote.get(name);
  if (kept === undefined) return undefined;
  const head = headDocument.decode(sealing.open(name, kept.bytes));
  // A head that was copied over another one still says whose it is.
  if (sealing.nameOf("heads", head.trail) !== name)
    throw damagedDocument(new Error(`the head belongs to another trail, "${head.trail}"`));
  return { head, version: kept.version };
}

/** Each is a connection, and a hostile remote makes each as large as it can. */
const READ_AT_ONCE = 16;

/** All trails of the remote. A head that cannot be read is an error, unless `onDamage` takes note of it. */
export async function listHeads(
  trails: RemoteTrails,
  onDamage = (_name: string, error: unknown): void => {
    throw error;
  },
): Promise<RemoteHead[]> {
  const names = await trails.remote.list("heads/");
  const read = (name: string) =>
    readHeadNamed(trails, name).catch((error: unknown) => {
      onDamage(name, error);
      return undefined;
    });
  const heads: RemoteHead[] = [];
  for (let at = 0; at < names.length; at += READ_AT_ONCE)
    for (const found of await Promise.all(names.slice(at, at + READ_AT_ONCE).map(read)))
      if (found) heads.push(found.head);
  return heads;
}

/** Moves a head; false if somebody else was quicker. */
export async function moveHead(
  { remote, sealing }: RemoteTrails,
  head: RemoteHead,
  from: Version | undefined,
): Promise<boolean> {
  const name = sealing.nameOf("heads", head.trail);
  const bytes = headDocument.encode(head);
  return (await remote.compareAndSwap(name, sealing.seal(name, bytes), from)) !== undefined;
}

/** Which packs a trail consists of: those of its manifest, then those that its head lists. */
export type PackList = Pick<RemoteHead, "manifest" | "recent">;

/** All packs of a trail, oldest first. */
export async function packsOf(trails: RemoteTrails, { manifest, recent }: PackList): Promise<PackRef[]> {
  if (manifest === null) return [...recent];
  return [...manifestDocument.decode(await readOnce(trails, manifest)), ...recent];
}

/** Keeps bytes under a name that follows from them, unless `isNeedless` says that they need not be sent. */
export async function writeOnce(
  { remote, sealing }: RemoteTrails,
  kind: "packs" | "manifests",
  bytes: Uint8Array,
  isNeedless = (_name: string) => false,
): Promise<{ name: string; sizeBytes: number }> {
  const name = sealing.nameOf(kind, bytes);
  const sealed = sealing.seal(name, bytes);
  if (!isNeedless(name)) await remote.put(name, sealed);
  return { name, sizeBytes: sealed.length };
}

/** Reads what a name was made from, and makes sure that it is that. */
export async function readOnce({ remote, sealing }: RemoteTrails, name: string): Promise<Uint8Array> {
  const kept = await remote.get(name);
  if (kept === undefined) throw missingPart(remote, name);
  const bytes = sealing.open(name, kept.bytes);
  const kind = name.startsWith("packs/") ? "packs" : "manifests";
  if (sealing.nameOf(kind, bytes) === name) return bytes;
  throw kind === "packs"
    ? damagedPack("is not what its name says")
    : damagedDocument(new Error("the manifest is not what its name says"));
}

function missingPart({ label }: Remote, name: string): CheckpointError {
  const what = `"${name}" is missing from ${label}, although a trail refers to it.`;
  return new CheckpointError("corrupt", what, {
    hint: "Push again from a machine that has the whole trail: checkpoint push --full",
    details: { remote: label, name },
  });
}
