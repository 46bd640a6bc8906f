import assert from "node:assert/strict";
import {
  idOf,
  listed,
  step,
  thread,
  valuesOf,
  writesOf,
  type SaverConfig,
  type SaverSuite,
  type SaverUnderTest,
} from "./suite.ts";

/** A thread of five steps. */
async function line(saver: SaverUnderTest, name = "t", metadata = {}): Promise<SaverConfig[]> {
  const configs: SaverConfig[] = [];
  for (let n = 0; n < 5; n++)
    configs.push(await step(saver, configs.at(-1) ?? thread(name), { n }, { metadata }));
  return configs;
}

export function testCopies({ test }: SaverSuite): void {
  test("copies a thread with its ids, values, writes and subgraphs, and then both go their own ways", async ({
    saver,
  }) => {
    assert.ok(saver.copyThread !== undefined, "It cannot copy a thread.");
    const configs = await line(saver);
    const last = configs.at(-1) as SaverConfig;
    await saver.putWrites(last, [["n", "pending"]], "task");
    await step(saver, thread("t", "sub:1"), { n: "below" });
    await saver.copyThread("t", "copy");
    assert.deepEqual(await listed(saver, thread("copy")), await listed(saver, thread("t")));
    assert.deepEqual(await writesOf(saver, thread("copy")), [["n", "pending"]]);
    assert.deepEqual(await valuesOf(saver, thread("copy", "sub:1")), { n: "below" });
    const copy = await saver.getTuple(thread("copy"));
    await saver.putWrites(copy?.config as SaverConfig, [["n", "own"]], "other");
    await step(saver, copy?.config as SaverConfig, { n: "own" });
    assert.deepEqual(await valuesOf(saver, thread("t")), { n: 4 });
    assert.deepEqual(await writesOf(saver, thread("t")), [["n", "pending"]]);
    await saver.deleteThread("t");
    assert.deepEqual(await valuesOf(saver, thread("copy")), { n: "own" });
    assert.equal((await listed(saver, thread("copy"))).length, 6);
  });

  test("does not copy over a thread that is there", async ({ saver }) => {
    assert.ok(saver.copyThread !== undefined, "It cannot copy a thread.");
    for (const name of ["a", "b"]) await step(saver, thread(name), { name });
    await assert.rejects(saver.copyThread("a", "b"));
    await assert.rejects(saver.copyThread("none", "c"));
    assert.deepEqual(await valuesOf(saver, thread("b")), { name: "b" });
  });

  test("forks a thread at one of its checkpoints", async ({ saver }) => {
    assert.ok(saver.forkThread !== undefined, "It cannot fork a thread.");
    const configs = await line(saver);
    await saver.forkThread("t", "fork", idOf(configs[2] as SaverConfig));
    assert.deepEqual(await valuesOf(saver, thread("fork")), { n: 2 });
    await step(saver, { configurable: { ...configs[2]?.configurable, thread_id: "fork" } }, { n: "own" });
    assert.deepEqual(await valuesOf(saver, thread("fork")), { n: "own" });
    assert.deepEqual(await valuesOf(saver, thread("t")), { n: 4 });
  });

  test("gives a fork what its channels took from the ancestors' writes", async ({ saver }) => {
    assert.ok(saver.forkThread !== undefined, "It cannot fork a thread.");
    const last = await deltaLine(saver);
    await saver.forkThread("t", "fork");
    const fork = { configurable: { ...last.configurable, thread_id: "fork" } };
    assert.deepEqual(await historyOf(saver, fork), await historyOf(saver, last));
  });
}

export function testPruning({ test }: SaverSuite): void {
  test("prunes all but the newest, after telling what it would do", async ({ saver }) => {
    assert.ok(saver.prune !== undefined, "It cannot prune.");
    const configs = await line(saver);
    const plan = await saver.prune({ keepLast: 2, dryRun: true });
    assert.deepEqual([plan.removed, plan.kept], [3, 2]);
    assert.equal((await listed(saver, thread("t"))).length, 5);
    const done = await saver.prune({ keepLast: 2 });
    assert.deepEqual([done.removed, done.kept], [3, 2]);
    assert.deepEqual(await listed(saver, thread("t")), configs.slice(3).map(idOf).toReversed());
    assert.deepEqual(await valuesOf(saver, configs[3] as SaverConfig), { n: 3 });
    await step(saver, configs[4] as SaverConfig, { n: 5 });
    assert.deepEqual(await valuesOf(saver, thread("t")), { n: 5 });
  });

  test("spares an interrupt that nobody has answered", async ({ saver }) => {
    assert.ok(saver.prune !== undefined, "It cannot prune.");
    const configs = await line(saver);
    const asked = await step(saver, configs[1] as SaverConfig, { n: "asked" });
    await saver.putWrites(asked, [["__interrupt__", { value: "Deploy?" }]], "task");
    await step(saver, configs[4] as SaverConfig, { n: 5 });
    await saver.prune({ keepLast: 1 });
    assert.deepEqual(await valuesOf(saver, asked), { n: "asked" });
    assert.deepEqual(await writesOf(saver, asked), [["__interrupt__", { value: "Deploy?" }]]);
    assert.equal((await listed(saver, thread("t"))).length, 2);
  });

  test("prunes only what is older than a moment", async ({ saver }) => {
    assert.ok(saver.prune !== undefined, "It cannot prune.");
    const configs = await line(saver);
    const third = await saver.getTuple(configs[2] as SaverConfig);
    await saver.prune({ keepLast: 1, olderThan: new Date(third?.checkpoint.ts ?? 0) });
    assert.deepEqual(await listed(saver, thread("t")), configs.slice(2).map(idOf).toReversed());
  });

  test("keeps what channels took from writes of ancestors that were pruned", async ({ saver }) => {
    assert.ok(saver.prune !== undefined, "It cannot prune.");
    const last = await deltaLine(saver);
    const before = await historyOf(saver, last);
    await saver.prune({ keepLast: 1 });
    assert.deepEqual(await historyOf(saver, last), before);
    await saver.putWrites(last, [["log", "after"]], "task");
    const next = await step(saver, last, {}, { versions: { log: 9 }, changed: ["log"] });
    assert.deepEqual(await historyOf(saver, next), [...before, "after"]);
  });

  test("deletes what certain runs wrote, the newest included", async ({ saver }) => {
    assert.ok(saver.deleteForRuns !== undefined, "It cannot delete by run.");
    const kept = await step(saver, thread("t"), { n: "kept" }, { metadata: { run_id: "one" } });
    await step(saver, kept, { n: "gone" }, { metadata: { run_id: "two" } });
    await line(saver, "other", { run_id: "two" });
    await saver.deleteForRuns(["two", "none"]);
    assert.deepEqual(await valuesOf(saver, thread("t")), { n: "kept" });
    assert.equal(await saver.getTuple(thread("other")), undefined);
  });
}

/** A thread whose channel `log` is kept as changes: it stands in the writes alone. */
async function deltaLine(saver: SaverUnderTest): Promise<SaverConfig> {
  let at = thread("t");
  for (let n = 0; n < 4; n++) {
    at = await step(saver, at, {}, { versions: { log: n + 1 }, changed: ["log"] });
    if (n < 3) await saver.putWrites(at, [["log", `write ${n}`]], "task");
  }
  return at;
}

async function historyOf(saver: SaverUnderTest, config: SaverConfig): Promise<unknown[]> {
  const { log } = await saver.getDeltaChannelHistory({ config, channels: ["log"] });
  return (log?.writes ?? []).map(([, , value]) => value);
}
