import { isDeepStrictEqual } from "node:util";
import { CheckpointError, isCheckpointError } from "../../core/errors.ts";
import { encode, recall, type Memory } from "../../core/objects/encode.ts";
import type { Json } from "../../core/objects/json.ts";
import { isObjectId, type ObjectId } from "../../core/objects/object-id.ts";
import { remember } from "../../core/objects/remember.ts";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import { infoOfStored, readCheckpoint, writeCheckpoint } from "../../core/trails/document.ts";
import { trailPart } from "../../work/sessions/session.ts";
import type { Cairn } from "../../work/state/cairn.ts";

/** A way that a chat has gone: an answer that was regenerated, a question that was edited, or the newest. */
export interface ChatBranch {
  /** What `load` takes. */
  readonly checkpoint: string;
  readonly messages: number;
  readonly savedAt: Date;
}

/** Keeps chats of the AI SDK, by their ids. */
export interface ChatStore {
  /** The messages of a chat as they were saved last, or of one of its branches; none for a chat that is not there. */
  load<Message = unknown>(chatId: string, checkpoint?: string): Promise<Message[]>;
  /**
   * Saves the messages of a chat, whole: only what is new is stored. Durable before it resolves. Messages that were edited,
   * regenerated or left out begin a branch where they differ; what they replace stays, as another branch.
   */
  save(chatId: string, messages: readonly unknown[]): Promise<void>;
  /** The ways that a chat has gone, the newest first. */
  branches(chatId: string): Promise<ChatBranch[]>;
  /** Removes a chat with its branches. The next sweep gives the space back. */
  delete(chatId: string): Promise<void>;
}

interface Chat {
  readonly head: ObjectId;
  readonly memory: Memory;
}

/** So many chats are remembered, so that the next message of each costs what it adds. */
const MAX_CHATS = 64;
/** How often a save is tried that another writer, or a sweep, got in the way of. */
const MAX_TRIES = 8;
/** A record of each checkpoint: how many messages it has. */
const COUNT = "messages";

/**
 * Opens a store of chats on an open Cairn store: the two functions that the AI SDK's documentation calls `loadChat` and
 * `saveChat`. Each chat is a trail `chat/<id>`.
 *
 * @example
 * import { convertToModelMessages, streamText, validateUIMessages } from "ai";
 * import { openCairn } from "cairn-checkpoint";
 * import { openChatStore } from "cairn-checkpoint/ai-sdk";
 *
 * const chats = openChatStore(await openCairn());
 * const messages = await validateUIMessages({ messages: [...(await chats.load(id)), message] });
 * const result = streamText({ model, messages: await convertToModelMessages(messages) });
 * return result.toUIMessageStreamResponse({
 *   originalMessages: messages,
 *   onFinish: ({ messages }) => chats.save(id, messages),
 * });
 */
export function openChatStore({ store }: Cairn, now: () => Date = () => new Date()): ChatStore {
  const chats = new Map<string, Chat>();
  const read = (ids: readonly ObjectId[]) => store.readObjects(ids);
  const messagesOf = (memory: Memory) => recall(memory)["messages"] as Json[];

  async function current(trail: string): Promise<Chat | undefined> {
    const head = await store.head(trail);
    const known = chats.get(trail);
    if (head === undefined || known?.head === head) return head === undefined ? undefined : known;
    const bytes = (await store.readObjects([head])).get(head) ?? new Uint8Array();
    return keep(trail, { head, memory: await remember(readCheckpoint(head, bytes).root, read) });
  }

  function keep(trail: string, chat: Chat): Chat {
    chats.delete(trail);
    chats.set(trail, chat);
    if (chats.size > MAX_CHATS) chats.delete(chats.keys().next().value as string);
    return chat;
  }

  /** The nearest ancestor whose messages all begin the new ones: a child always begins with its parent's messages. */
  async function parentFor(head: ObjectId, common: number): Promise<StoredCheckpoint | undefined> {
    for (let limit = 1; ; limit *= 4) {
      const line = await store.lineage(head, { limit });
      const found = line.find(({ records }) => countIn(records) <= common);
      if (found !== undefined || line.length < limit) return found;
    }
  }

  async function trySave(chatId: string, trail: string, messages: readonly unknown[]): Promise<void> {
    const chat = await current(trail);
    const { memory, objects } = encode({ chat_id: chatId, messages }, chat?.memory);
    if (chat && memory.root === chat.memory.root) return;
    const [before, after] = [chat ? messagesOf(chat.memory) : [], messagesOf(memory)];
    const differs = before.findIndex((message, at) => !isDeepStrictEqual(message, after[at]));
    const parent = chat && (await parentFor(chat.head, differs === -1 ? before.length : differs));
    const created = now();
    const { info, object } = writeCheckpoint({
      root: memory.root,
      trail,
      created_at: created.toISOString(),
      trigger: differs === -1 ? "message" : "edit",
      session_id: chatId,
      parent: parent && infoOfStored(parent),
    });
    await store.commit({
      objects,
      checkpoint: object,
      bytesAreFinal: true,
      trail,
      parent: parent?.id,
      createdAt: created.getTime(),
      head: { from: chat?.head },
      records: new Map([[COUNT, Buffer.from(String(after.length))]]),
      revives: true,
    });
    keep(trail, { head: info.content_hash, memory });
  }

  return {
    async load<Message>(chatId: string, checkpoint?: string) {
      const trail = trailOf(chatId);
      if (checkpoint === undefined) {
        const chat = await current(trail);
        return (chat ? messagesOf(chat.memory) : []) as Message[];
      }
      const [found] = isObjectId(checkpoint) ? await store.find({ trail, idPrefix: checkpoint }) : [];
      if (found === undefined) throw noSuchBranch(chatId, checkpoint);
      return messagesOf(await remember(readCheckpoint(found.id, found.bytes).root, read)) as Message[];
    },

    async save(chatId, messages) {
      const trail = trailOf(chatId);
      for (let tries = 1; ; tries++) {
        try {
          return await trySave(chatId, trail, messages);
        } catch (error) {
          chats.delete(trail);
          const isOvertaken = isCheckpointError(error, "conflict") || isStaleReference(error);
          if (!isOvertaken || tries === MAX_TRIES) throw error;
        }
      }
    },

    async branches(chatId) {
      const stored = await store.history(trailOf(chatId));
      const parents = new Set(stored.map(({ parent }) => parent));
      const ends = stored.filter(({ id }) => !parents.has(id));
      const records = await store.attachments(ends.map(({ id }) => id));
      return ends.map(({ id, createdAt }) => {
        const messages = countIn(records.get(id) ?? new Map<string, Uint8Array>());
        return { checkpoint: id, messages, savedAt: new Date(createdAt) };
      });
    },

    async delete(chatId) {
      const trail = trailOf(chatId);
      chats.delete(trail);
      await store.remove({ trails: [trail] });
    },
  };
}

const trailOf = (chatId: string) => `chat/${trailPart(chatId)}`;

function countIn(records: ReadonlyMap<string, Uint8Array>): number {
  return Number(new TextDecoder().decode(records.get(COUNT)));
}

function noSuchBranch(chatId: string, checkpoint: string): CheckpointError {
  return new CheckpointError("not-found", `The chat "${chatId}" has no branch "${checkpoint}".`, {
    hint: "branches(chatId) tells which there are.",
    details: { chatId, checkpoint },
  });
}
