import { randomUUID } from "node:crypto";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";

import { openCairn } from "../../src/work/state/cairn.ts";
import { isCheckpointError } from "../../src/core/errors.ts";
import { testRemote } from "../../src/testing/test-remote.ts";
import { headDocument } from "../../src/capabilities/sync/documents.ts";
import { pullTrail } from "../../src/capabilities/sync/pull.ts";
import { pushTrail } from "../../src/capabilities/sync/push.ts";
import { listHeads } from "../../src/capabilities/sync/remote-trails.ts";
import { sealWith, UNSEALED, type Sealing } from "../../src/capabilities/sync/sealing.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import { report, scaled } from "../faults/support/scale.ts";
import { memoryRemote } from "./support/memory-remote.ts";

describe("a remote in memory", () => {
  testRemote(async () => memoryRemote(), { describe, it });
});

/** `npm run proof` does it in full. */
const PUSHES = scaled(8, 14);
const FLIPS_AT = [0, 0.5, 0.999, 0.25, 0.75].slice(0, scaled(3, 5));

type Objects = Map<string, Uint8Array>;

/** What a bucket looked like after each push, and every checkpoint that was ever in it. */
async function bucketOf(sealing: Sealing) {
  const objects: Objects = new Map();
  const trails = { remote: memoryRemote(objects), sealing };
  const cairn = await openCairn({ store: await openMemoryStore() });
  const options = { machine: "laptop", now: () => new Date(), random: () => randomUUID() };
  const genuine = new Set<string>();
  const earlier: Objects[] = [];
  for (let step = 0; step < PUSHES; step++) {
    for (const trail of ["main", "trial"]) {
      const { content_hash } = await cairn.trail(trail).commit((state) => {
        state.variables[`v${step}`] = randomUUID().repeat(5);
      });
      genuine.add(content_hash);
      await pushTrail(cairn.store, trails, trail, options);
    }
    earlier.push(new Map(objects));
  }
  // Packs that were merged into larger ones are read by nobody any more.
  const read = new Set<string>();
  const remote = memoryRemote(objects);
  const watched = {
    sealing,
    remote: { ...remote, get: (name: string) => (read.add(name), remote.get(name)) },
  };
  const fresh = await openMemoryStore();
  for (const trail of ["main", "trial"]) await pullTrail(fresh, watched, trail, { remoteName: "origin" });
  const heads = Object.fromEntries((await cairn.trails()).map(({ name, head }) => [name, head]));
  return { objects, read, genuine, heads, earlier };
}

/** Changed, cut, copied, swapped, removed and replayed objects. */
function* attacks({
  objects,
  read,
  earlier,
}: Awaited<ReturnType<typeof bucketOf>>): Generator<[what: string, changed: Objects]> {
  const names = [...read];
  const without = (name: string, bytes?: Uint8Array) => {
    const changed = new Map(objects);
    changed.delete(name);
    if (bytes !== undefined) changed.set(name, bytes);
    return changed;
  };
  for (const name of names) {
    const bytes = objects.get(name) as Uint8Array;
    for (const part of FLIPS_AT) {
      const flipped = Uint8Array.from(bytes);
      const at = Math.floor(part * bytes.length);
      flipped[at] = (flipped[at] as number) ^ 1;
      yield [`flip ${at} of ${name}`, without(name, flipped)];
    }
    yield [`cut ${name}`, without(name, bytes.subarray(0, bytes.length / 2))];
    yield [`empty ${name}`, without(name, new Uint8Array(0))];
    yield [`remove ${name}`, without(name)];
    const kind = name.split("/")[0] as string;
    for (const other of names.filter((each) => each !== name && each.startsWith(`${kind}/`)).slice(0, 3)) {
      const copied = without(name, objects.get(other));
      yield [`copy ${other} over ${name}`, copied];
      yield [`swap ${name} with ${other}`, new Map(copied).set(other, bytes)];
    }
    for (const old of earlier) {
      const before = old.get(name);
      if (before !== undefined && !Buffer.from(before).equals(bytes))
        yield [`replay ${name}`, without(name, before)];
    }
  }
}

describe.each([
  ["readable", UNSEALED],
  ["sealed", sealWith(new Uint8Array(32).fill(7))],
])("a hostile bucket, %s", (form, sealing) => {
  it("serves nothing that was not saved", async () => {
    const bucket = await bucketOf(sealing);
    const { genuine, heads } = bucket;
    const counts = { attacks: 0, refused: 0, older: 0 };
    for (const [what, changed] of attacks(bucket)) {
      counts.attacks += 1;
      const store = await openMemoryStore();
      const trails = { remote: memoryRemote(changed), sealing };
      try {
        for (const { trail } of await listHeads(trails))
          await pullTrail(store, trails, trail, { remoteName: "origin" });
      } catch (error) {
        if (!isCheckpointError(error, "corrupt"))
          throw new Error(`${what}: not refused in words`, { cause: error });
        counts.refused += 1;
      }
      for (const { name, head } of await store.trails()) {
        expect({ what, name, isGenuine: genuine.has(head) }).toEqual({ what, name, isGenuine: true });
        // Only a head that was really there once can be shown to a machine that has seen nothing yet.
        const isOlder = head !== heads[name];
        expect(!isOlder || what.startsWith("replay")).toBe(true);
        if (isOlder) counts.older += 1;
        for (const { id } of await store.history(name)) expect(genuine.has(id)).toBe(true);
      }
      expect((await store.verify()).damage).toEqual([]);
      await store.close();
    }
    expect(counts.attacks).toBeGreaterThan(100);
    expect(counts.refused).toBeGreaterThan(counts.attacks / 2);
    expect(counts.older).toBeGreaterThan(0);
    report(
      `${counts.attacks} changed, cut, swapped, missing and replayed objects, ${form}: ${counts.refused} refused in words, the others without effect or an older head; nothing served that was not saved`,
    );
  });
});

it("a head that names anything but packs and manifests is refused", () => {
  const head = "0".repeat(64);
  const decode = (manifest: string, pack: string) => {
    const about = {
      cairn: "head",
      version: 1,
      trail: "main",
      head,
      machine: "x",
      at: "",
      push: "",
      epoch: 0,
    };
    const json = JSON.stringify({ ...about, manifest, recent: [[pack, head, 1, 1]] });
    return headDocument.decode(zlib.zstdCompressSync(json));
  };
  const [manifest, pack] = [UNSEALED.nameOf("manifests", "a"), UNSEALED.nameOf("packs", "b")];
  expect(decode(manifest, pack)).toMatchObject({ manifest, recent: [{ name: pack }] });
  for (const other of ["../../../dev/zero", "packs/../../x", "heads/main", "packs/x\n", pack.toUpperCase()]) {
    expect(() => decode(other, pack)).toThrow(/damaged/);
    expect(() => decode(manifest, other)).toThrow(/damaged/);
  }
});
