import { createHash } from "node:crypto";
import { readCheckpoint } from "../../../src/core/trails/document.ts";
import { decode } from "../../../src/core/objects/decode.ts";
import type { ObjectId } from "../../../src/core/objects/object-id.ts";
import { isCheckpointError, type Cairn, type Store } from "../../../src/doors/library/index.ts";

/** What a store answers: the fingerprint of an answer, `!code` for a named error, `?message` for any other. */
export type Answers = ReadonlyMap<string, string>;

/** Asks a store everything that people ask: its trails, their newest states and histories, and every checkpoint. */
export async function ask(
  cairn: Cairn,
  { ids, loads }: { ids: readonly string[]; loads: readonly string[] },
): Promise<Answers> {
  const answers = new Map<string, string>();
  const answer = async (question: string, work: () => Promise<unknown>) => {
    answers.set(question, await work().then(fingerprint, failure));
  };
  await answer("trails", () => cairn.trails());
  for (const name of ["main", "session/5f3a"]) {
    const trail = cairn.trail(name);
    await answer(`latest of ${name}`, () => trail.load());
    await answer(`history of ${name}`, () => trail.history());
  }
  for (const id of loads) await answer(`load ${id}`, () => cairn.trail("main").load(id));
  const read = readOnce(cairn.store);
  await fetchAll(ids as ObjectId[], read).catch(() => undefined);
  for (const id of ids) await answer(`state ${id}`, () => stateOf(id as ObjectId, read));
  return answers;
}

type Read = (ids: readonly ObjectId[]) => Promise<Map<ObjectId, Uint8Array>>;

/** Fetches all checkpoints, then all states, in two calls, which is much faster. Where something is damaged, one by one will do. */
async function fetchAll(ids: readonly ObjectId[], read: Read): Promise<void> {
  const found = await read(ids);
  await read([...found].map(([id, bytes]) => readCheckpoint(id, bytes).root));
}

/** What `load` does, but each object is fetched once for all: sixty loads at the price of a few. */
async function stateOf(id: ObjectId, read: Read): Promise<unknown> {
  const bytes = (await read([id])).get(id);
  const { info, root } = readCheckpoint(id, bytes ?? new Uint8Array());
  return { info, state: await decode(root, read) };
}

function readOnce(store: Store): Read {
  const known = new Map<ObjectId, Uint8Array>();
  return async (ids) => {
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0) for (const [id, bytes] of await store.readObjects(unknown)) known.set(id, bytes);
    return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id) as Uint8Array]] : [])));
  };
}

/** A hash of the value; of a list a `[` and the hash of each entry, because a damaged list may still hold right entries. */
function fingerprint(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(ofEntry).join()}` : hashOf(value);
}

/** A list marks its damaged entries, so that one of them does not hide the others. */
function ofEntry(entry: unknown): string {
  const isMarked = (entry as { trigger?: unknown }).trigger === "damaged";
  return isMarked ? "damaged" : hashOf(entry);
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function failure(error: unknown): string {
  if (isCheckpointError(error)) return `!${error.code}`;
  return `?${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
