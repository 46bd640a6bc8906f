import zlib from "node:zlib";
import * as z from "zod";

import { isObjectId, type ObjectId } from "../objects/object-id.ts";
import { parseJson } from "../text/untrusted.ts";
import { damagedDocument } from "./damage.ts";

const ID = z.custom<ObjectId>(isObjectId);

/** Nothing else is looked up: a document must not make its reader open other files, or devices. */
const PACK_NAME = z.string().regex(/^packs\/[0-9a-f]{32}$/);
const MANIFEST_NAME = z.string().regex(/^manifests\/[0-9a-f]{32}$/);

/** A pack of a trail: its name, and the last checkpoint in it. In a document it is a list, because heads have many. */
const PACK = z.codec(
  z.tuple([PACK_NAME, ID, z.int(), z.int()]),
  z.object({ name: z.string(), last: ID, checkpoints: z.int(), sizeBytes: z.int() }),
  {
    decode: ([name, last, checkpoints, sizeBytes]) => ({ name, last, checkpoints, sizeBytes }),
    encode: ({ name, last, checkpoints, sizeBytes }) =>
      [name, last, checkpoints, sizeBytes] satisfies [string, ObjectId, number, number],
  },
);

/** Where a trail stands on a remote. Moves by compare-and-swap. */
const HEAD = z.object({
  cairn: z.literal("head"),
  version: z.literal(1),
  trail: z.string(),
  head: ID,
  /** The machine that moved it last, and when by its clock: for people. */
  machine: z.string(),
  at: z.string(),
  /** Random: tells our own write from an equal one of somebody else. */
  push: z.string(),
  /** The repack epoch in which none of its packs was doomed. */
  epoch: z.int(),
  /** The name of the list of older packs, or null. */
  manifest: z.nullable(MANIFEST_NAME),
  /** The packs after those of the manifest, oldest first. */
  recent: z.array(PACK),
});

const MANIFEST = z.object({ cairn: z.literal("manifest"), version: z.literal(1), packs: z.array(PACK) });

/** What is being deleted from a remote. Moves by compare-and-swap, and its number rises each time. */
const EPOCH = z.object({
  number: z.int(),
  /** When somebody last looked for what nobody refers to, in milliseconds since 1970. */
  at: z.number(),
  /** Packs and manifests that no head refers to, and since when that is known. No push may refer to them any more. */
  doomed: z.record(z.string(), z.number()),
});

export type PackRef = Readonly<z.output<typeof PACK>>;
export type RemoteHead = Readonly<Omit<z.output<typeof HEAD>, "cairn" | "version">>;
export type EpochDocument = Readonly<z.output<typeof EPOCH>>;

/** A hostile document must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Compressed JSON, because it is mostly hashes in hex, and a head goes with every push. */
const compressed = <Schema extends z.ZodType>(schema: Schema) => ({
  encode: (value: z.output<Schema>): Uint8Array =>
    zlib.zstdCompressSync(JSON.stringify(z.encode(schema, value))),
  decode: (bytes: Uint8Array): z.output<Schema> => {
    try {
      const json = zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES });
      return schema.parse(parseJson(json.toString("utf8")));
    } catch (cause) {
      throw damagedDocument(cause);
    }
  },
});

export const headDocument = compressed(HEAD);
export const manifestDocument = compressed(MANIFEST);
export const epochDocument = compressed(EPOCH);
