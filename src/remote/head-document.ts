import zlib from "node:zlib";

import { CheckpointError } from "../errors.ts";
import { isObjectId, type ObjectId } from "../objects/object-id.ts";
import { isRecord } from "../text/untrusted.ts";

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

const VERSION = 1;

/** A hostile document must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;

export function encodeHead({ recent, ...head }: RemoteHead): Uint8Array {
  return compact({ cairn: "head", version: VERSION, ...head, recent: recent.map(packToJson) });
}

export function decodeHead(bytes: Uint8Array): RemoteHead {
  const { cairn, version, trail, head, machine, at, push, epoch, manifest, recent } = parseDocument(bytes);
  const isSound =
    cairn === "head" &&
    version === VERSION &&
    [trail, machine, at, push].every((text) => typeof text === "string") &&
    isObjectId(head) &&
    Number.isSafeInteger(epoch) &&
    (manifest === null || typeof manifest === "string") &&
    Array.isArray(recent);
  if (!isSound) throw damagedHead();
  return { trail, head, machine, at, push, epoch, manifest, recent: recent.map(packFromJson) } as RemoteHead;
}

export function encodeManifest(packs: readonly PackRef[]): Uint8Array {
  return compact({ cairn: "manifest", version: VERSION, packs: packs.map(packToJson) });
}

export function decodeManifest(bytes: Uint8Array): PackRef[] {
  const { cairn, version, packs } = parseDocument(bytes);
  if (cairn !== "manifest" || version !== VERSION || !Array.isArray(packs)) throw damagedHead();
  return packs.map(packFromJson);
}

type PackJson = [name: string, last: string, checkpoints: number, sizeBytes: number];

const packToJson = ({ name, last, checkpoints, sizeBytes }: PackRef): PackJson => [
  name,
  last,
  checkpoints,
  sizeBytes,
];

function packFromJson(json: unknown): PackRef {
  const [name, last, checkpoints, sizeBytes] = Array.isArray(json) ? (json as PackJson) : [];
  const isSound =
    typeof name === "string" &&
    isObjectId(last) &&
    Number.isSafeInteger(checkpoints) &&
    Number.isSafeInteger(sizeBytes);
  if (!isSound) throw damagedHead();
  return { name, last, checkpoints, sizeBytes } as PackRef;
}

/** Compressed, because it is mostly hashes in hex, and a head goes with every push. */
export function compact(document: object): Uint8Array {
  return zlib.zstdCompressSync(JSON.stringify(document));
}

export function parseDocument(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json = zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES });
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw damagedHead(cause);
  }
  throw damagedHead();
}

export function damagedHead(cause?: unknown): CheckpointError {
  return new CheckpointError(
    "corrupt",
    "A document on the remote is damaged, or was written by a newer version of Cairn.",
    {
      hint: "Nothing was taken. Another machine may have the trail: checkpoint push from there.",
      cause,
    },
  );
}
