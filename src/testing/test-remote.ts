import assert from "node:assert/strict";

import type { TestRunner } from "./test-runner.ts";
import type { Remote, Version } from "../capabilities/sync/contract.ts";
import { assertConditionsHold } from "../capabilities/sync/probe.ts";

type Body = (remote: Remote) => Promise<void>;

/**
 * The contract of a remote as tests: a remote is done when they pass. `open` returns a new, empty one each time. Runs
 * under vitest, jest and node:test, whose `describe` and `it` are passed in.
 *
 * @example
 * import { describe, it } from "node:test";
 * import { testRemote } from "cairn-checkpoint/testing";
 *
 * describe("my remote", () => {
 *   testRemote(openMyRemote, { describe, it });
 * });
 */
export function testRemote(open: () => Promise<Remote>, runner: TestRunner): void {
  for (const [topic, tests] of Object.entries(TOPICS)) {
    runner.describe(topic, () => {
      for (const [name, body] of Object.entries(tests)) runner.it(name, async () => body(await open()));
    });
  }
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

async function textAt(remote: Remote, name: string): Promise<string | undefined> {
  const kept = await remote.get(name);
  return kept && Buffer.from(kept.bytes).toString();
}

const KEEPING: Record<string, Body> = {
  "has nothing under a name that was never used": async (remote) => {
    assert.equal(await remote.get("packs/none"), undefined);
    assert.deepEqual(await remote.list(""), []);
  },
  "gives back every byte, also none and all values": async (remote) => {
    const all = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    for (const [name, bytes] of [
      ["packs/all", all],
      ["packs/empty", new Uint8Array(0)],
    ] as const) {
      await remote.put(name, bytes);
      assert.deepEqual(Buffer.from((await remote.get(name))?.bytes ?? []), Buffer.from(bytes));
    }
  },
  "may put the same again": async (remote) => {
    await remote.put("packs/a", bytesOf("a"));
    await remote.put("packs/a", bytesOf("a"));
    assert.equal(await textAt(remote, "packs/a"), "a");
  },
  "keeps bytes that the caller changes later": async (remote) => {
    const bytes = bytesOf("before");
    await remote.put("packs/a", bytes);
    bytes.fill(0);
    assert.equal(await textAt(remote, "packs/a"), "before");
  },
  "removes a name, and one that is not there": async (remote) => {
    await remote.put("packs/a", bytesOf("a"));
    await remote.compareAndSwap("heads/a", bytesOf("a"), undefined);
    for (const name of ["packs/a", "heads/a", "packs/none"]) await remote.remove(name);
    assert.deepEqual(await remote.list(""), []);
    assert.equal(await remote.get("heads/a"), undefined);
  },
};

const LISTING: Record<string, Body> = {
  "lists what begins with a prefix, each name once, however many there are": async (remote) => {
    const names = Array.from({ length: 25 }, (_, index) => `packs/${index}`);
    for (const name of names) await remote.put(name, bytesOf(name));
    let version = await remote.compareAndSwap("heads/main", bytesOf("1"), undefined);
    version = await remote.compareAndSwap("heads/main", bytesOf("2"), version);
    assert.ok(version !== undefined);
    assert.deepEqual((await remote.list("packs/")).toSorted(), names.toSorted());
    assert.deepEqual(await remote.list("heads/"), ["heads/main"]);
    assert.equal((await remote.list("")).length, 26);
  },
  "keeps names apart that need care in addresses": async (remote) => {
    const names = ["heads/run%2Fa-1", "heads/a%40b", "heads/a+b", "heads/a=b:c~d", "heads/%C3%A9"];
    for (const name of names) await remote.compareAndSwap(name, bytesOf(name), undefined);
    assert.deepEqual((await remote.list("heads/")).toSorted(), names.toSorted());
    for (const name of names) assert.equal(await textAt(remote, name), name);
  },
};

const SWAPPING: Record<string, Body> = {
  "honours conditions": async (remote) => {
    await assertConditionsHold(remote, () => "suite");
    assert.deepEqual(await remote.list("probes/"), []);
  },
  "creates only what is not there": async (remote) => {
    assert.ok(await remote.compareAndSwap("heads/a", bytesOf("one"), undefined));
    assert.equal(await remote.compareAndSwap("heads/a", bytesOf("two"), undefined), undefined);
    assert.equal(await textAt(remote, "heads/a"), "one");
  },
  "moves on from the version that it was given, or that a reader saw": async (remote) => {
    const first = await remote.compareAndSwap("heads/a", bytesOf("one"), undefined);
    assert.equal((await remote.get("heads/a"))?.version, first);
    const second = await remote.compareAndSwap("heads/a", bytesOf("two"), first);
    assert.ok(second !== undefined && second !== first);
    assert.equal(await remote.compareAndSwap("heads/a", bytesOf("three"), first), undefined);
    const read = (await remote.get("heads/a"))?.version;
    assert.ok(await remote.compareAndSwap("heads/a", bytesOf("four"), read));
    assert.equal(await textAt(remote, "heads/a"), "four");
  },
  "lets exactly one of many writers win, each time": async (remote) => {
    let from: Version | undefined;
    for (let round = 0; round < 4; round++) {
      const writers = Array.from({ length: 8 }, (_, index) => `${round}/${index}`);
      const results = await Promise.all(
        writers.map((text) => remote.compareAndSwap("heads/a", bytesOf(text), from)),
      );
      const won = writers.filter((_, index) => results[index] !== undefined);
      assert.equal(won.length, 1);
      assert.equal(await textAt(remote, "heads/a"), won[0]);
      from = results.find((version) => version !== undefined);
    }
  },
};

const TOPICS = { "keeping bytes": KEEPING, listing: LISTING, "moving by compare-and-swap": SWAPPING };
