import { describe, expect, it } from "vitest";

import { isCheckpointError } from "../../src/core/errors.ts";
import type { ObjectId } from "../../src/core/objects/object-id.ts";
import { readTrees } from "../../src/core/objects/read-tree.ts";
import type { BuildCommit, Commit, Store } from "../../src/core/store/contract.ts";
import { openMapStore } from "../../examples/store/memory-store.ts";
import { isStaleReference } from "../../src/core/store/refusals.ts";
import { runSuite } from "./run-suite.ts";

type Mutation = (store: Store) => Partial<Store>;

/** Each breaks one promise, and the named test must notice. */
const MUTANTS: Record<string, { caughtBy: string; mutation: Mutation }> = {
  "moves a head without comparing": {
    caughtBy: "lets exactly one of many racing writers move a head",
    mutation: (store) => ({ commit: (change) => store.commit(withoutComparing(change)) }),
  },
  "moves the head though the change does not": {
    caughtBy: "leaves the head where it is when a change does not move it",
    mutation: (store) => ({
      commit: (change) => store.commit("head" in change ? change : withoutComparing(change)),
    }),
  },
  "keeps the objects of a refused change": {
    caughtBy: "refuses a change whose head has moved on, and leaves nothing of it behind",
    mutation: keepRefusedObjects,
  },
  "keeps a trace of a refused change": {
    caughtBy: "refuses a second checkpoint with the same foreign id in a trail, leaving nothing behind",
    mutation: (store) => ({
      commit: (change) =>
        store.commit(change).catch(async (error: unknown) => {
          if (!("build" in change)) await store.commit({ ...plainly(change), trail: "trace" });
          throw error;
        }),
    }),
  },
  "refuses what was asked for beside something refused": {
    caughtBy: "takes many commits at once, each whole or not at all",
    mutation: (store) => {
      let group: Promise<void> = Promise.resolve();
      return {
        commit(change) {
          const own = store.commit(change);
          group = Promise.all([group, own]).then(() => undefined);
          return group;
        },
      };
    },
  },
  "does not hold the head still for a builder": {
    caughtBy: "lets every one of many racing builders land",
    mutation: (store) => ({
      async commit(change) {
        const built = "build" in change ? await change.build(await store.head(change.trail)) : change;
        if (built) await store.commit(built);
      },
    }),
  },
  "commits what was prepared for another head": {
    caughtBy: "changes nothing when a builder finds nothing to change",
    mutation: (store) => ({
      commit: (change) => store.commit("build" in change ? withPrepared(change) : change),
    }),
  },
  "takes a change that refers to nothing": {
    caughtBy: "refuses a change that counts on what was swept, and takes it when it is complete",
    mutation: (store) => ({
      commit: (change) =>
        store.commit(change).catch((error: unknown) => {
          if (!isStaleReference(error) || "build" in change) throw error;
          return store.commit({ ...change, objects: [], checkpoint: { ...change.checkpoint, links: [] } });
        }),
    }),
  },
  "gives a foreign id twice": {
    caughtBy: "lets one of two racing checkpoints have a foreign id",
    mutation: (store) => ({
      commit: (change) =>
        store.commit(change).catch((error: unknown) => {
          if (!isCheckpointError(error) || !("foreignId" in error.details)) throw error;
          return store.commit({ ...(change as Commit), foreignId: undefined });
        }),
    }),
  },
  "returns the same buffers each time": {
    caughtBy: "is not changed by a caller that writes into the bytes it was given",
    mutation: shareReturnedBuffers,
  },
  "keeps the caller's buffers": {
    caughtBy: "is not changed by a caller that reuses its buffers after the commit",
    mutation: keepCallersBuffers,
  },
  "tells history oldest first": {
    caughtBy: "tells a trail's history newest commit first, whatever the clocks said",
    mutation: (store) => ({ history: async (...page) => (await store.history(...page)).toReversed() }),
  },
  "ends history before an unknown checkpoint": {
    caughtBy: "never takes a page before an unknown or pruned checkpoint for the end of history",
    mutation: (store) => ({ history: (...page) => store.history(...page).catch(() => []) }),
  },
  "counts its checkpoints instead of its commits": {
    caughtBy: "numbers commits upwards over all trails, and never gives a number twice",
    mutation: (store) => ({
      find: async (query) => (await store.find(query)).map((found, sequence) => ({ ...found, sequence })),
    }),
  },
  "finds more than it is asked for": {
    caughtBy: "finds no more than it is asked for, and no removed checkpoint",
    mutation: (store) => ({ find: ({ limit: _limit, ...query }) => store.find(query) }),
  },
  "takes a trail that goes back for one that has moved": {
    caughtBy: "keeps the place of a trail whose head was there before",
    mutation: (store) => {
      const moved: string[] = [];
      return {
        async commit(change) {
          await store.commit(change);
          if ("build" in change || change.head) moved.push(change.trail);
        },
        trails: async (...options) =>
          (await store.trails(...options)).toSorted(
            (left, right) => moved.lastIndexOf(right.name) - moved.lastIndexOf(left.name),
          ),
      };
    },
  },
  "takes prefixes for patterns": {
    caughtBy: "lists the trails that begin with a prefix, taken literally",
    mutation: (store) => ({
      trails: async ({ prefix = "" } = {}) =>
        (await store.trails()).filter(({ name }) => name.toLowerCase().startsWith(prefix.toLowerCase())),
    }),
  },
  "replaces all records": {
    caughtBy: "replaces a record with the same key, and deletes one that becomes null",
    mutation: (store) => ({
      async attach(id, records) {
        const old = [
          ...((await store.attachments([id as ObjectId])).get(id as ObjectId) ?? new Map()).keys(),
        ];
        await store.attach(id, new Map([...old.map((key) => [key, null] as const), ...records]));
      },
    }),
  },
  "attaches over what is there": {
    caughtBy: "leaves a record that is there when it is to attach only what is absent",
    mutation: (store) => ({ attach: (to, records) => store.attach(to, records) }),
  },
  "drops the records of a commit": {
    caughtBy: "takes records along with a commit, or leaves both",
    mutation: (store) => ({
      commit: (change) => store.commit("build" in change ? change : { ...change, records: undefined }),
    }),
  },
  "forgets records that come early": {
    caughtBy: "keeps records for a checkpoint that has not come yet, by its foreign id",
    mutation: (store) => ({
      async attach(to, records, options) {
        const isEarly = typeof to !== "string" && (await store.find(to)).length === 0;
        if (!isEarly) await store.attach(to, records, options);
      },
    }),
  },
  "ends a lineage at what was removed": {
    caughtBy: "tells the ancestors of a checkpoint with their records, past those that were removed",
    mutation: (store) => ({
      async lineage(...query) {
        const line = await store.lineage(...query);
        return line.filter((_, at) => at === 0 || line[at - 1]?.parent === line[at]?.id);
      },
    }),
  },
  "hides from a cursor what was adopted": {
    caughtBy: "tells what was committed after a sequence, also what a trail adopted since",
    mutation: (store) => ({
      async find(query) {
        const found = await store.find(query);
        return query.afterSequence === undefined ? found : found.slice(-1);
      },
    }),
  },
  "orders foreign ids as JavaScript does": {
    caughtBy: "pages through a trail in the order of its foreign ids",
    mutation: (store) => ({
      async find({ limit, ...query }) {
        const found = await store.find(query);
        if (query.byForeignId) found.sort((a, b) => ((a.foreignId ?? "") < (b.foreignId ?? "") ? 1 : -1));
        return found.slice(0, limit);
      },
    }),
  },
  "logs what was refused": {
    caughtBy: "appends nothing when the commit is refused, and keeps what it has through removal and sweep",
    mutation: (store) => ({
      commit: (change) =>
        store.commit(change).catch(async (error: unknown) => {
          if (!("build" in change) && change.log) await store.commit({ ...plainly(change), trail: "trace" });
          throw error;
        }),
    }),
  },
  "recreates a removed trail for anybody": {
    caughtBy: "takes nothing more for a trail that was removed, unless it is recreated",
    mutation: (store) => ({
      commit: (change) => store.commit("build" in change ? change : { ...change, revives: true }),
    }),
  },
  "removes pinned checkpoints": {
    caughtBy: "keeps what is pinned, until the pin is taken away",
    mutation: (store) => ({
      async remove(removal) {
        for (const { id } of await store.find({})) await store.attach(id, new Map([["pin/approval", null]]));
        return store.remove(removal);
      },
    }),
  },
  "removes fork points": {
    caughtBy: "keeps what a fork began from, though the fork's first checkpoints go too or went before",
    mutation: removeForkPoints,
  },
  "leaves no tombstones": {
    caughtBy: "leaves a tombstone of each checkpoint that it removes",
    mutation: () => ({ tombstone: async () => undefined }),
  },
  "never deletes anything": {
    caughtBy: "deletes exactly the objects that no checkpoint reaches",
    mutation: () => ({ sweep: async () => ({ objectsDeleted: 0, bytesFreed: 0 }) }),
  },
  "sweeps what was committed since its mark": {
    caughtBy: "never deletes what a concurrent commit builds on",
    mutation: (store) => sweepLate(store, async () => (await store.find({})).map(({ id }) => id)),
  },
  "sweeps all but the heads": {
    caughtBy: "deletes nothing that any checkpoint needs, in a line or beside it",
    mutation: (store) => sweepLate(store, async () => (await store.trails()).map(({ head }) => head)),
  },
  "finds every store healthy": {
    caughtBy: "names a damaged object and the checkpoints that it costs, and still loads the others",
    mutation: (store) => ({ verify: async () => ({ ...(await store.verify()), damage: [] }) }),
  },
  "does not know who it is": {
    caughtBy: "says what it is: durable or a cache, with a name and a key of its own that stay the same",
    mutation: () => ({ identity: async () => (await openMapStore()).identity() }),
  },
  "goes on after it was closed": {
    caughtBy: "refuses every call after it was closed, with the error usage",
    mutation: () => ({ close: async () => undefined }),
  },
};

describe("store suite, against a store that", () => {
  for (const [wrong, { caughtBy, mutation }] of Object.entries(MUTANTS)) {
    it(`${wrong}: fails "${caughtBy}"`, async () => {
      const { failed } = await runSuite(async () => mutate(await openMapStore(), mutation), {
        only: caughtBy,
      });
      expect(failed).toContain(caughtBy);
    });
  }
});

function mutate(store: Store, mutation: Mutation): Store {
  const wrong: Partial<Store> = mutation(store);
  return new Proxy(store, {
    get(target, key) {
      const value: unknown = Reflect.get(key in wrong ? wrong : target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function withoutComparing(change: Commit | BuildCommit): BuildCommit {
  if ("build" in change) return change;
  return { trail: change.trail, build: async (from) => ({ ...change, head: { from } }) };
}

function withPrepared({ trail, prepared, build }: BuildCommit): BuildCommit {
  const stale = (from: ObjectId | undefined) => prepared && { ...prepared, head: { from } };
  return { trail, build: async (from) => (await build(from)) ?? stale(from) };
}

/** Without all that it could be refused for. */
function plainly({ head: _head, foreignId: _foreignId, ...change }: Commit): Commit {
  return change;
}

function keepRefusedObjects(store: Store): Partial<Store> {
  const kept = new Map<ObjectId, Uint8Array>();
  return {
    commit: (change) =>
      store.commit(change).catch((error: unknown) => {
        if (!("build" in change)) for (const { id, bytes } of change.objects) kept.set(id, bytes);
        throw error;
      }),
    async readObjects(ids) {
      const asked = new Set(ids);
      return new Map([...[...kept].filter(([id]) => asked.has(id)), ...(await store.readObjects(ids))]);
    },
  };
}

function shareReturnedBuffers(store: Store): Partial<Store> {
  const shared = new Map<ObjectId, Uint8Array>();
  return {
    async readObjects(ids) {
      const found = await store.readObjects(ids);
      for (const [id, bytes] of found) if (!shared.has(id)) shared.set(id, bytes);
      return new Map(Array.from(found.keys(), (id) => [id, shared.get(id) as Uint8Array]));
    },
  };
}

function keepCallersBuffers(store: Store): Partial<Store> {
  const callers = new Map<ObjectId, Uint8Array>();
  return {
    async commit(change) {
      await store.commit(change);
      if (!("build" in change)) for (const { id, bytes } of change.objects) callers.set(id, bytes);
    },
    async readObjects(ids) {
      const found = await store.readObjects(ids);
      return new Map(Array.from(found, ([id, bytes]) => [id, callers.get(id) ?? bytes]));
    },
  };
}

function removeForkPoints(store: Store): Partial<Store> {
  const gone = new Set<ObjectId>();
  return {
    async remove(removal) {
      const { removed, kept } = await store.remove(removal);
      const forks = kept.filter(({ reason }) => reason === "fork point").map(({ id }) => id);
      for (const id of forks) gone.add(id);
      return { removed: [...removed, ...forks], kept: kept.filter(({ id }) => !gone.has(id)) };
    },
    history: async (...page) => (await store.history(...page)).filter(({ id }) => !gone.has(id)),
  };
}

/** Marks, looks away for a moment, and deletes what was not marked, though it may be in use again. */
function sweepLate(store: Store, roots: () => Promise<ObjectId[]>): Partial<Store> {
  const all = new Set<ObjectId>();
  const gone = new Set<ObjectId>();
  const read = async (ids: readonly ObjectId[]) => store.readObjects(ids.filter((id) => !gone.has(id)));
  return {
    readObjects: read,
    async commit(change) {
      await store.commit(change);
      if ("build" in change) return;
      for (const { id } of [...change.objects, change.checkpoint]) {
        all.add(id);
        gone.delete(id);
      }
    },
    async sweep() {
      const live = new Set<ObjectId>();
      for (const root of await roots()) {
        for (const id of (await readTrees([root], (ids) => store.readObjects(ids))).keys()) live.add(id);
      }
      const dead = [...all].filter((id) => !live.has(id));
      for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
      for (const id of dead) gone.add(id);
      return { objectsDeleted: dead.length, bytesFreed: 0 };
    },
  };
}
