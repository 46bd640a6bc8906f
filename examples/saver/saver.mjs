// A checkpointer for a framework of your own, on any store: it needs nothing but cairn-checkpoint/store.
import {
  decode,
  encode,
  isStaleReference,
  readCheckpoint,
  recall,
  remember,
  writeCheckpoint,
} from "cairn-checkpoint/store";

/** How often a save is tried that another writer, or a sweep, got in the way of. */
const MAX_TRIES = 8;

/** Keeps states by thread and by the framework's own ids of them. Each save costs what changed. */
export function openSaver(store, now = () => new Date()) {
  const last = new Map();
  const read = (ids) => store.readObjects(ids);
  const trailOf = (thread) => `example/${thread}`;

  /** What the thread holds now, as a memory that the next state is encoded against. */
  async function current(trail) {
    const head = await store.head(trail);
    if (head === undefined || last.get(trail)?.info.content_hash === head) return head && last.get(trail);
    const { info, root } = readCheckpoint(head, (await read([head])).get(head) ?? new Uint8Array());
    return { info, memory: await remember(root, read) };
  }

  async function trySave(trail, id, state) {
    const before = await current(trail);
    const { memory, objects } = encode(state, before?.memory);
    const created = now();
    const { info, object } = writeCheckpoint({
      root: memory.root,
      trail,
      created_at: created.toISOString(),
      parent: before?.info,
    });
    await store.commit({
      objects,
      checkpoint: object,
      trail,
      parent: before?.info.content_hash,
      createdAt: created.getTime(),
      foreignId: id,
      head: { from: before?.info.content_hash },
    });
    last.set(trail, { info, memory });
  }

  return {
    /** Durable before it resolves. An id is taken once: another state under it is a conflict. */
    async save(thread, id, state) {
      const trail = trailOf(thread);
      for (let tries = 1; ; tries++) {
        try {
          return await trySave(trail, id, state);
        } catch (error) {
          last.delete(trail);
          const isTaken = (await store.find({ trail, foreignId: id, limit: 1 })).length > 0;
          const isOvertaken = error.code === "conflict" || isStaleReference(error);
          if (!isOvertaken || isTaken || tries === MAX_TRIES) throw error;
        }
      }
    },

    /** The newest state of a thread, or the one with this id. */
    async load(thread, id) {
      const trail = trailOf(thread);
      if (id === undefined) {
        const found = await current(trail);
        return found && recall(found.memory);
      }
      const [stored] = await store.find({ trail, foreignId: id, limit: 1 });
      return stored && decode(readCheckpoint(stored.id, stored.bytes).root, read);
    },

    /** The ids, the newest first. */
    async list(thread) {
      return (await store.history(trailOf(thread))).map(({ foreignId }) => foreignId);
    },
  };
}
