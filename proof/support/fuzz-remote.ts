import { createHash } from "node:crypto";
import zlib from "node:zlib";

import { newObjects } from "../../src/core/trails/transfer/new-objects.ts";
import { readCheckpoint } from "../../src/core/trails/document.ts";
import { openCairn } from "../../src/doors/library/index.ts";
import { openLatest } from "../../src/capabilities/sync/latest.ts";
import type { Remote } from "../../src/capabilities/sync/contract.ts";
import { epochDocument, headDocument, manifestDocument } from "../../src/capabilities/sync/documents.ts";
import { decodeSection, encodeSection, sectionsOf } from "../../src/capabilities/sync/packs/pack.ts";
import { UNSEALED } from "../../src/capabilities/sync/sealing.ts";
import { readSetup } from "../../src/capabilities/sync/setup-document.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import type { Target } from "./fuzzing.ts";

/** The parsers of what other machines put on a remote, or into its cache. */
export async function remoteTargets(): Promise<Target[]> {
  const { pack, head } = await samplePack();
  const [section] = sectionsOf(pack);
  if (section === undefined) throw new Error("The sample has no section.");
  const packs = [[UNSEALED.nameOf("packs", pack), head, 2, 900]];
  const said = { trail: "main", head, machine: "ada", at: "2026-02-14T10:30:00Z" };
  const cache = { url: "redis://nowhere", remote: "file:///nowhere", sealing: UNSEALED };
  const pushed = { cairn: "head", version: 1, ...said, push: "x1", epoch: 0, manifest: null, recent: packs };
  return [
    {
      name: "packs",
      seeds: [pack, Buffer.concat([pack, pack])],
      // Nothing at all is a pack without sections, and would soon be all that is tried.
      parse: (input) =>
        input.length === 0 ? undefined : sectionsOf(input).map((one) => decodeSection(one, [])),
    },
    {
      // Changed before it is compressed, or hardly anything would get past zstd.
      name: "pack indexes",
      seeds: [zlib.zstdDecompressSync(section.compressed)],
      parse: (input) => decodeSection({ ...section, compressed: zlib.zstdCompressSync(input) }, []),
    },
    document("remote heads", headDocument, pushed),
    document("manifests", manifestDocument, { cairn: "manifest", version: 1, packs }),
    document("epochs", epochDocument, { number: 3, at: 1.7e12, doomed: { "packs/p0": 1.7e12 } }),
    {
      name: "compressed documents",
      seeds: [zlib.zstdCompressSync(JSON.stringify(pushed))],
      parse: (input) => headDocument.decode(input),
    },
    {
      name: "setups of remotes",
      seeds: [
        '{"cairn":"remote","version":1,"keyId":"k1","wrapped":{"by":"transit-key","key":"vault:v1:x"}}',
      ],
      parse: async (input) =>
        readSetup({ label: "fuzz", get: async () => ({ bytes: input, version: "1" }) } as unknown as Remote),
    },
    {
      name: "Redis values",
      seeds: [Buffer.concat([Buffer.from(`${JSON.stringify(said)}\n`), pack])],
      parse: async (input) => {
        const value = Buffer.concat([createHash("sha256").update(input).digest(), input]);
        const latest = await openLatest(cache, "main", value);
        await latest?.store.close();
        return latest;
      },
    },
  ];
}

function document(
  name: string,
  { decode }: { readonly decode: (bytes: Uint8Array) => unknown },
  seed: object,
): Target {
  return { name, seeds: [JSON.stringify(seed)], parse: (input) => decode(zlib.zstdCompressSync(input)) };
}

async function samplePack() {
  const store = await openMemoryStore();
  const cairn = await openCairn({ store, now: () => new Date(0) });
  const { content_hash: id } = await cairn
    .trail<object>("main", { initial: {} })
    .commit({ a: [1, "b"], c: "x".repeat(5000) });
  const read = (ids: Parameters<typeof store.readObjects>[0]) => store.readObjects(ids);
  const bytes = (await read([id])).get(id) ?? new Uint8Array();
  const objects = await newObjects(readCheckpoint(id, bytes).root, undefined, new Set(), read);
  const records = new Map([["import", Buffer.from("{}")]]);
  const pack = Buffer.from(encodeSection([{ id, bytes, objects, foreignId: "e1", records }], [], 0));
  await cairn.close();
  return { pack, head: id };
}
