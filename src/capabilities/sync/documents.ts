import zlib from "node:zlib";

import { isObjectId, type ObjectId } from "../../core/objects/object-id.ts";
import { asRecord, isRecord } from "../../core/text/untrusted.ts";
import { damagedDocument } from "./damage.ts";

/** A pack of a trail: its name, and the last checkpoint in it. */
export interface PackRef {
  readonly name: string;
  readonly last: ObjectId;
  readonly checkpoints: number;
  readonly sizeBytes: number;
}

/** Where a trail stands on a remote. Moves by compare-and-swap. */
export interface RemoteHead {
  readonly trail: string;
  readonly head: ObjectId;
  /** The machine that moved it last, and when by its clock: for people. */
  readonly machine: string;
  readonly at: string;
  /** Random: tells our own write from an equal one of somebody else. */
  readonly push: string;
  /** The repack epoch in which none of its packs was doomed. */
  readonly epoch: number;
  /** The name of the list of older packs, or null. */
  readonly manifest: string | null;
  /** The packs after those of the manifest, oldest first. */
  readonly recent: readonly PackRef[];
}

/** What is being deleted from a remote. Moves by compare-and-swap, and its number rises each time. */
export interface EpochDocument {
  readonly number: number;
  /** When somebody last looked for what nobody refers to, in milliseconds since 1970. */
  readonly at: number;
  /** Packs and manifests that no head refers to, and since when that is known. No push may refer to them any more. */
  readonly doomed: Readonly<Record<string, number>>;
}

export const headDocument = {
  encode: (head: RemoteHead): Uint8Array =>
    compress({ cairn: "head", version: 1, ...head, recent: head.recent.map(rowOf) }),
  decode: (bytes: Uint8Array): RemoteHead => {
    const head = decompress(bytes, isHead);
    return { ...head, recent: head.recent.map(packOf) };
  },
};

export const manifestDocument = {
  encode: (packs: readonly PackRef[]): Uint8Array =>
    compress({ cairn: "manifest", version: 1, packs: packs.map(rowOf) }),
  decode: (bytes: Uint8Array): PackRef[] => decompress(bytes, isManifest).packs.map(packOf),
};

export const epochDocument = {
  encode: (epoch: EpochDocument): Uint8Array => compress(epoch),
  decode: (bytes: Uint8Array): EpochDocument => decompress(bytes, isEpoch),
};

/** A pack in a document: a list, because heads have many. */
type PackRow = readonly [name: string, last: ObjectId, checkpoints: number, sizeBytes: number];

const rowOf = (pack: PackRef): PackRow => [pack.name, pack.last, pack.checkpoints, pack.sizeBytes];
const packOf = ([name, last, checkpoints, sizeBytes]: PackRow) => ({ name, last, checkpoints, sizeBytes });

// Plain checks: loading zod would cost every push some 15 MB of memory and a tenth of a second.

function isHead(value: unknown): value is Omit<RemoteHead, "recent"> & { readonly recent: PackRow[] } {
  const { cairn, version, trail, head, machine, at, push, epoch, manifest, recent } = asRecord(value) ?? {};
  if (cairn !== "head" || version !== 1) return false;
  const areTexts = [trail, machine, at, push].every((text) => typeof text === "string");
  const areLists = (manifest === null || isName(manifest, "manifests")) && areRows(recent);
  return areTexts && areLists && isObjectId(head) && Number.isSafeInteger(epoch);
}

function isManifest(value: unknown): value is { readonly packs: PackRow[] } {
  const { cairn, version, packs } = asRecord(value) ?? {};
  return cairn === "manifest" && version === 1 && areRows(packs);
}

function isEpoch(value: unknown): value is EpochDocument {
  const { number, at, doomed } = asRecord(value) ?? {};
  const isDated = isRecord(doomed) && Object.values(doomed).every(Number.isFinite);
  return Number.isSafeInteger(number) && Number.isFinite(at) && isDated;
}

function areRows(value: unknown): value is PackRow[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [name, last, ...numbers] = value as unknown[];
  return isName(name, "packs") && isObjectId(last) && numbers.every(Number.isSafeInteger);
}

/** Nothing else is looked up: a document must not make its reader open other files, or devices. */
function isName(value: unknown, kind: "packs" | "manifests"): boolean {
  return typeof value === "string" && value.startsWith(`${kind}/`) && /^[a-z]+\/[0-9a-f]{32}$/.test(value);
}

/** A hostile document must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Compressed, because it is mostly hashes in hex, and a head goes with every push. */
const compress = (json: unknown): Uint8Array => zlib.zstdCompressSync(JSON.stringify(json));

function decompress<Json>(bytes: Uint8Array, isRight: (json: unknown) => json is Json): Json {
  try {
    const text = zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
    const json: unknown = JSON.parse(text);
    if (isRight(json)) return json;
  } catch (cause) {
    throw damagedDocument(cause);
  }
  throw damagedDocument(new Error("it does not hold what it should"));
}
