import assert from "node:assert/strict";

import type { NewObject } from "../../core/objects/object-format.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import { readTrees } from "../../core/objects/read-tree.ts";
import type { Store } from "../../core/store/contract.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import { awaitedLater, commitNext } from "./expectations.ts";
import { assertOneWins } from "./racing.ts";
import { changeOf, changeWith, prolonged, valueOf } from "./samples.ts";
import type { Suite } from "./suite.ts";

/**
 * Races that no single test of a promise provokes: a store whose locks are too weak passes every other topic, and loses
 * acknowledged commits here.
 */
export function testStress({ testShared }: Suite): void {
  testShared("lets one of many writers win, round after round", async (store, second) => {
    const handles = Array.from({ length: RACERS }, (_, index) => (index % 2 ? store : second));
    for (let round = 0; round < RACE_ROUNDS; round++) await assertOneWins(handles, round);
  });

  testShared("takes changes that bring the same objects at the same time", async (store, second) => {
    for (let round = 0; round < SHARING_ROUNDS; round++) {
      const shared = Array.from({ length: SHARED }, (_, index) => valueOf(["shared", round, index]));
      const changes = Array.from({ length: SHARERS }, (_, index) =>
        changeOf([round, index], { trail: `trail ${round} ${index}`, objects: shared }),
      );
      await Promise.all(changes.map((change, index) => (index % 2 ? store : second).commit(change)));
    }
  });

  // The longest comes last: a store that fails a short one need not wait for it.
  testShared(
    "loses nothing that was acknowledged while sweeps run one after the other",
    async (store, second) => {
      const acknowledged: ObjectId[] = [];
      for (let round = 0; round < SWEEP_ROUNDS; round++)
        await sweepBesideWriters(store, second, round, acknowledged);
      await readTrees(acknowledged, (ids) => store.readObjects(ids));
      assert.deepEqual((await store.verify()).damage, []);
    },
  );
}

const SWEEP_ROUNDS = 4;
const RACE_ROUNDS = 6;
/** Two changes must really overlap: on a busy machine those of one round may happen one after the other. */
const SHARING_ROUNDS = 6;
const RACERS = 12;
const SHARERS = 6;
const SHARED = 1000;

/** Dead states, in two layers that were committed apart: parts, and roots that refer to parts of several commits. */
const PART_COMMITS = 6;
const PARTS_EACH = 200;
const ROOT_COMMITS = 4;
const ROOTS_EACH = 60;

/** Beside each sweep. Limited, because a store may let every commit go before its sweep. */
const REVIVERS = 4;
const REVIVALS_EACH = 10;

interface DeadState {
  readonly root: NewObject;
  readonly parts: readonly NewObject[];
}

/**
 * A sweep that overlooks commits in progress deletes what they rely on. So long commits are in progress when it begins and
 * all the while, each of a state that nothing else keeps.
 */
async function sweepBesideWriters(
  store: Store,
  second: Store,
  round: number,
  acknowledged: ObjectId[],
): Promise<void> {
  const dead = await leaveDeadStates(store, round);
  const swept = new AbortController();
  const reviveOne = async (reviver: number) => {
    const state = dead.pop() as DeadState;
    const handle = reviver % 2 ? store : second;
    acknowledged.push(await revive(handle, state, `revived ${round} ${dead.length}`));
  };
  const revivers = Array.from({ length: REVIVERS }, (_, reviver) => reviver);
  // Connecting takes a handle longer than a commit, so let that happen before the sweep begins.
  await Promise.all(revivers.map(reviveOne));
  const writers = revivers.map(async (reviver) => {
    for (let turn = 0; turn < REVIVALS_EACH && !swept.signal.aborted; turn++) await reviveOne(reviver);
  });
  const allWritten = awaitedLater(Promise.all(writers));
  try {
    await store.sweep();
  } finally {
    swept.abort();
  }
  await allWritten;
}

/** In the order in which people make states: the parts first. */
async function leaveDeadStates(store: Store, round: number): Promise<DeadState[]> {
  const parts: NewObject[] = [];
  for (let commit = 0; commit < PART_COMMITS; commit++) {
    const objects = Array.from({ length: PARTS_EACH }, (_, at) => valueOf(["part", round, commit, at]));
    await commitNext(store, ["parts", round, commit], { trail: `doomed ${round}`, objects });
    parts.push(...objects);
  }
  const states: DeadState[] = [];
  for (let commit = 0; commit < ROOT_COMMITS; commit++) {
    const made = Array.from({ length: ROOTS_EACH }, (_, at): DeadState => {
      const first = commit * ROOTS_EACH + at;
      const own = [0, 1, 2, 3].map((step) => parts[(first + step * 307) % parts.length] as NewObject);
      return { root: valueOf(["root", round, first], own), parts: own };
    });
    const roots = made.map(({ root }) => root);
    await commitNext(store, ["roots", round, commit], { trail: `doomed ${round}`, objects: roots });
    states.push(...made);
  }
  await store.remove({ trails: [`doomed ${round}`] });
  return states;
}

/** Counts on a dead state that is still there, and brings it if it is not. */
async function revive(store: Store, { root, parts }: DeadState, trail: string): Promise<ObjectId> {
  const change = prolonged(changeWith("revived", root, { trail }));
  try {
    await store.commit(change);
  } catch (error) {
    if (!isStaleReference(error)) throw error;
    await store.commit({ ...change, objects: [...parts, root] });
  }
  return change.checkpoint.id;
}
