import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

import { changeOf, valueOf } from "../../../testing/store/samples.ts";
import type { Commit, Store } from "../contract.ts";
import { openSqliteStore } from "../sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-known-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** A handle that has just committed, and so believes to know the store; another handle on the same store. */
async function warmAndOther(): Promise<{ warm: Store; other: Store; head: Commit }> {
  const path = join(folder, `${count++}`, "store.sqlite");
  const [warm, other] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
  const head = changeOf("first");
  await warm.commit(head);
  return { warm, other, head };
}

const sequences = async (store: Store) => (await store.find({})).map(({ sequence }) => sequence);

describe("a handle that commits again", () => {
  it("notices that another handle has moved the head", async () => {
    const { warm, other, head } = await warmAndOther();
    const second = changeOf("second", { from: head.checkpoint.id });
    await other.commit(second);
    const late = changeOf("late", { from: head.checkpoint.id });
    await expect(warm.commit(late)).rejects.toMatchObject({ code: "conflict" });
    await warm.commit(changeOf("third", { from: second.checkpoint.id }));
    expect(await sequences(warm)).toEqual([1, 2, 3]);
  });

  it("gives no number again that another handle has taken", async () => {
    const { warm, other, head } = await warmAndOther();
    await other.commit(changeOf("elsewhere", { trail: "other" }));
    await warm.commit(changeOf("second", { from: head.checkpoint.id }));
    expect(await sequences(other)).toEqual([1, 2, 3]);
    expect((await warm.verify()).damage).toEqual([]);
  });

  it("notices what it removed and swept itself, and what another handle did", async () => {
    const { warm, other, head } = await warmAndOther();
    for (const store of [warm, other]) {
      const shared = valueOf(["shared", store === warm]);
      await warm.commit({ ...changeOf("doomed", { trail: "doomed", objects: [shared] }), revives: true });
      await store.remove({ trails: ["doomed"] });
      await store.sweep();
      // The trail is gone, and so is what its checkpoint referred to.
      await warm.commit({ ...changeOf("doomed", { trail: "doomed", objects: [shared] }), revives: true });
      expect((await warm.readObjects([shared.id])).has(shared.id)).toBe(true);
      await store.remove({ trails: ["doomed"] });
      await store.sweep();
    }
    await warm.commit(changeOf("second", { from: head.checkpoint.id }));
    expect((await other.verify()).damage).toEqual([]);
  });

  it("forgets what it believed when a commit has failed", async () => {
    const { warm, head } = await warmAndOther();
    const missing = valueOf("not brought");
    const broken = { ...changeOf("broken", { from: head.checkpoint.id, objects: [missing] }) };
    const withoutIt = { ...broken, objects: broken.objects.filter(({ id }) => id !== missing.id) };
    await expect(warm.commit(withoutIt)).rejects.toMatchObject({
      code: "conflict",
      details: { stale: true },
    });
    await warm.commit(broken);
    expect(await warm.head("main")).toBe(broken.checkpoint.id);
    expect((await warm.verify()).damage).toEqual([]);
  });

  it("keeps its own copy of the bytes unless they are promised to be final", async () => {
    const { warm, head } = await warmAndOther();
    const text = "a text that is long enough to be stored as a change ".repeat(20);
    const first = valueOf(`${text}1`);
    const one = changeOf("one", { from: head.checkpoint.id, objects: [first] });
    await warm.commit(one);
    const second = valueOf(`${text}2`, [], first.id);
    // As a caller would that makes the next object in the same buffer.
    first.bytes.set(second.bytes);
    await warm.commit(changeOf("two", { from: one.checkpoint.id, objects: [second] }));
    expect((await warm.verify()).damage).toEqual([]);
  });
});
