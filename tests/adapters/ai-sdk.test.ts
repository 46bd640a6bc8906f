import { beforeEach, describe, expect, it } from "vitest";
import { openChatStore, type ChatStore } from "../../src/capabilities/ai-sdk/index.ts";
import { openMemoryStore } from "../../src/core/store/sqlite.ts";
import { openCairn, type Cairn } from "../../src/work/state/cairn.ts";

interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly { readonly type: "text"; readonly text: string }[];
}

const message = (id: string, text = `Text of ${id}`): Message => ({
  id,
  role: id.startsWith("u") ? "user" : "assistant",
  parts: [{ type: "text", text }],
});

let cairn: Cairn;
let chats: ChatStore;
beforeEach(async () => {
  cairn = await openCairn({ store: await openMemoryStore() });
  chats = openChatStore(cairn);
});

describe("chats of the AI SDK", () => {
  it("are empty before the first message, and as they were saved afterwards", async () => {
    expect(await chats.load("c")).toEqual([]);
    const messages = [message("u1"), message("a1")];
    await chats.save("c", messages);
    expect(await chats.load("c")).toEqual(messages);
    expect(await openChatStore(cairn).load("c")).toEqual(messages);
    expect(await chats.load("another")).toEqual([]);
  });

  it("give every reader messages of its own", async () => {
    await chats.save("c", [message("u1")]);
    const mine = await chats.load<{ role: string }>("c");
    (mine[0] as { role: string }).role = "spoilt";
    expect(await chats.load("c")).toEqual([message("u1")]);
  });

  it("store nothing when nothing has changed, and only what is new otherwise", async () => {
    const long = Array.from({ length: 200 }, (_, at) => message(`u${at}`, `${at} `.repeat(200)));
    await chats.save("c", long);
    const before = await bytes();
    await chats.save("c", structuredClone(long));
    expect(await cairn.store.count("chat/c")).toBe(1);
    await chats.save("c", [...long, message("a1")]);
    expect((await bytes()) - before).toBeLessThan(before / 4);
  });

  it("begin a branch where a message was edited, and keep the other one", async () => {
    const first = [message("u1"), message("a1")];
    await chats.save("c", first);
    await chats.save("c", [...first, message("u2"), message("a2")]);
    const edited = [...first, message("u2", "Edited"), message("a3")];
    await chats.save("c", edited);
    await chats.save("c", [...edited, message("u4")]);
    const branches = await chats.branches("c");
    expect(branches.map(({ messages }) => messages)).toEqual([5, 4]);
    expect(await chats.load("c", branches[1]?.checkpoint)).toEqual([...first, message("u2"), message("a2")]);
    const heads = await cairn.store.history("chat/c");
    expect(heads.map(({ parent }) => heads.findIndex(({ id }) => id === parent))).toEqual([1, 3, 3, -1]);
  });

  it("begin anew where the first message was edited, and take messages back", async () => {
    await chats.save("c", [message("u1"), message("a1")]);
    await chats.save("c", [message("u1", "Other")]);
    await chats.save("c", []);
    expect(await chats.load("c")).toEqual([]);
    expect(await chats.branches("c")).toHaveLength(3);
  });

  it("let two that save at once both save, each whole", async () => {
    const other = openChatStore(cairn);
    await chats.save("c", [message("u1")]);
    const ends = [
      [message("u1"), message("a1")],
      [message("u1"), message("a2")],
    ];
    await Promise.all([chats.save("c", ends[0] ?? []), other.save("c", ends[1] ?? [])]);
    const found = await Promise.all(
      (await chats.branches("c")).map(({ checkpoint }) => chats.load("c", checkpoint)),
    );
    expect(found).toEqual(expect.arrayContaining(ends));
    expect(found).toHaveLength(2);
  });

  it("can be deleted, and begin again", async () => {
    await chats.save("c", [message("u1")]);
    await chats.delete("c");
    expect(await chats.load("c")).toEqual([]);
    await chats.save("c", [message("u9")]);
    expect(await chats.load("c")).toEqual([message("u9")]);
    await expect(chats.load("c", "nothing")).rejects.toThrow('The chat "c" has no branch "nothing".');
  });
});

async function bytes(): Promise<number> {
  const { store } = cairn;
  const found = await store.history("chat/c");
  const all = new Set(found.map(({ id }) => id));
  for (const { bytes: own } of found) {
    const text = new TextDecoder().decode(own);
    for (const [id] of text.matchAll(/[0-9a-f]{64}/g)) all.add(id as never);
  }
  let sum = 0;
  for (let open = [...all]; open.length > 0;) {
    const read = await store.readObjects(open);
    open = [];
    for (const [, each] of read) {
      sum += each.length;
      for (const [id] of new TextDecoder().decode(each).matchAll(/[0-9a-f]{64}/g))
        if (!all.has(id as never)) {
          all.add(id as never);
          open.push(id as never);
        }
    }
  }
  return sum;
}
