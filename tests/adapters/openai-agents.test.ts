import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cairn, openCairn } from "../../src/work/state/cairn.ts";
import { CairnSession } from "../../src/capabilities/openai-agents/index.ts";
import { fromJson, toJson } from "../../src/capabilities/openai-agents/item-json.ts";
import { growth, text } from "./support/growth.ts";

let folder: string;
let cairn: Cairn;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-openai-agents-"));
  cairn = await openCairn({ path: folder });
});
afterEach(async () => {
  await cairn.close();
  rmSync(folder, { recursive: true, force: true });
});

type Item = Record<string, unknown>;
const open = (of = cairn, sessionId = "support 42") => new CairnSession<Item>(of, { sessionId });
const says = (content: string): Item => ({ type: "message", role: "user", content });
const call = (callId: string, name = "look"): Item => ({
  type: "function_call",
  callId,
  name,
  arguments: "{}",
});

describe("CairnSession", () => {
  it("keeps items in their order, for whoever opens the session again", async () => {
    await open().addItems([says("a"), says("b")]);
    await open().addItems([says("c")]);
    expect(await open().getItems()).toEqual([says("a"), says("b"), says("c")]);
    expect(await open().getItems(2)).toEqual([says("b"), says("c")]);
    expect(await open().getItems(0)).toEqual([]);
    expect(await open().getItems(-1)).toEqual([]);
    expect(await open().getSessionId()).toBe("support 42");
    expect(await open(cairn, "another").getItems()).toEqual([]);
  });

  it("pops the newest, and undefined when there is none", async () => {
    const session = open();
    expect(await session.popItem()).toBeUndefined();
    await session.addItems([says("a"), says("b")]);
    expect(await session.popItem()).toEqual(says("b"));
    expect(await session.getItems()).toEqual([says("a")]);
  });

  it("clears and compacts in one step, and what went stays in the trail's history", async () => {
    const session = open();
    await session.addItems([says("a"), says("b")]);
    await session.replaceHistoryWithCompaction([{ type: "compaction", encrypted_content: "x" }, says("b")]);
    expect(await session.getItems()).toEqual([{ type: "compaction", encrypted_content: "x" }, says("b")]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    const trail = cairn.trail<{ items: unknown[] }>("openai-agents/support~20~42");
    const [, , first] = await trail.history();
    expect((await trail.load(first!.checkpoint_id)).state.items).toEqual([says("a"), says("b")]);
  });

  it("loses nothing when several processes write, and lets two pops take different items", async () => {
    const others = await Promise.all([openCairn({ path: folder }), openCairn({ path: folder })]);
    const sessions = [cairn, ...others].map((each) => open(each));
    await Promise.all(
      sessions.flatMap((session, writer) =>
        Array.from({ length: 8 }, (_, n) => session.addItems([says(`${writer}-${n}`)])),
      ),
    );
    const all = (await sessions[0]!.getItems()).map(({ content }) => content as string);
    expect(new Set(all).size).toBe(24);
    const popped = await Promise.all(sessions.flatMap((session) => [session.popItem(), session.popItem()]));
    expect(new Set(popped.map((item) => item?.["content"])).size).toBe(6);
    expect(await sessions[1]!.getItems()).toHaveLength(18);
    await Promise.all(others.map((each) => each.close()));
  });

  it("applies a transaction once; as another one, or where it does not fit, not at all", async () => {
    const session = open();
    const append = {
      operationId: "op-1",
      transaction: { type: "append_items" as const, items: [says("a"), says("b")] },
    };
    await session.applyHistoryTransaction(append);
    await open().applyHistoryTransaction(append);
    expect(await session.getItems()).toHaveLength(2);
    await expect(
      session.applyHistoryTransaction({
        ...append,
        transaction: { type: "append_items", items: [says("c")] },
      }),
    ).rejects.toMatchObject({ code: "conflict" });
    const replace = (operationId: string, expectedSuffix: Item[]) =>
      session.applyHistoryTransaction({
        operationId,
        transaction: { type: "replace_suffix", expectedSuffix, replacement: [says("z")] },
      });
    await expect(replace("op-2", [says("a")])).rejects.toMatchObject({ code: "conflict" });
    await expect(replace("op-2", [says("x"), says("a"), says("b")])).rejects.toMatchObject({
      code: "conflict",
    });
    // The order of properties is no difference.
    await replace("op-2", [{ content: "b", role: "user", type: "message" }]);
    expect(await session.getItems()).toEqual([says("a"), says("z")]);
  });

  it("replaces a call, and drops its doubles", async () => {
    const session = open();
    await session.addItems([call("1"), says("a"), call("2"), call("1")]);
    await session.applyHistoryMutations({
      mutations: [{ type: "replace_function_call", callId: "1", replacement: call("1", "approved") }],
    });
    expect(await session.getItems()).toEqual([call("1", "approved"), says("a"), call("2")]);
  });

  it("brings bytes back as bytes, and every JSON value as it was", async () => {
    const picture = { type: "image", data: new Uint8Array([0, 255, 7]), undefined };
    await open().addItems([picture]);
    const [back] = await open().getItems();
    expect(back).toEqual({ type: "image", data: new Uint8Array([0, 255, 7]) });
    const key = fc.constantFrom("$bytes", "$plain", "a", "__proto__");
    const tricky = fc.object({
      key,
      maxDepth: 3,
      maxKeys: 4,
      values: [fc.string(), fc.integer(), fc.constant(null)],
    });
    fc.assert(
      fc.property(tricky, (value) => {
        const json = JSON.parse(JSON.stringify(value)) as never;
        expect(fromJson(toJson(json))).toEqual(json);
      }),
    );
  });

  it("keeps its own copies", async () => {
    const session = open();
    const mine = says("a");
    const adding = session.addItems([mine]);
    mine["content"] = "changed";
    await adding;
    (await session.getItems())[0]!["content"] = "changed";
    expect(await session.getItems()).toEqual([says("a")]);
  });

  it("costs what is added, not what there is", async () => {
    const items = Array.from({ length: 4000 }, (_, n) => says(text(n)));
    const path = join(folder, "sized");
    const whole = await growth(path, (own) => open(own).addItems(items));
    const grown = await growth(path, async (own) => {
      const session = open(own);
      for (let n = 0; n < 50; n++) await session.addItems([says(text(5000 + n))]);
      expect(await open(own).getItems()).toHaveLength(4050);
    });
    expect(JSON.stringify(items).length).toBeGreaterThan(2_000_000);
    expect(whole).toBeGreaterThan(1_000_000);
    expect(grown / 50).toBeGreaterThan(0);
    expect(grown / 50).toBeLessThan(4000);
  });
});
