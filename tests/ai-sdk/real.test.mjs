// The chat store with the real AI SDK: what it loads is valid for the SDK, also after its own stream of an answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { convertToModelMessages, createUIMessageStream, readUIMessageStream, validateUIMessages } from "ai";
import { openCairn } from "cairn-checkpoint";
import { openChatStore } from "cairn-checkpoint/ai-sdk";
import { openMemoryStore } from "cairn-checkpoint/store";

const question = { id: "u1", role: "user", parts: [{ type: "text", text: "Where were we?" }] };

/** An answer as the SDK streams it to a client, made by the SDK itself. */
async function answer() {
  const stream = createUIMessageStream({
    execute({ writer }) {
      writer.write({ type: "start", messageId: "a1" });
      writer.write({ type: "text-start", id: "t" });
      writer.write({ type: "text-delta", id: "t", delta: "Before a door." });
      writer.write({ type: "text-end", id: "t" });
      writer.write({ type: "finish" });
    },
  });
  let last;
  for await (const message of readUIMessageStream({ stream })) last = message;
  return structuredClone(last);
}

await test("a chat is loaded as the SDK's own validation wants it", async () => {
  const cairn = await openCairn({ store: await openMemoryStore() });
  const chats = openChatStore(cairn);
  const messages = [question, await answer()];
  assert.equal(messages[1].parts.length > 0, true);
  await chats.save("c", messages);
  const valid = await validateUIMessages({ messages: await chats.load("c") });
  // Properties that are undefined are left out, as JSON does.
  assert.deepEqual(valid, JSON.parse(JSON.stringify(messages)));
  assert.equal((await convertToModelMessages(valid)).length, 2);
  await chats.save("c", [question, { ...messages[1], id: "a2" }]);
  assert.equal((await chats.branches("c")).length, 2);
  await cairn.close();
});
