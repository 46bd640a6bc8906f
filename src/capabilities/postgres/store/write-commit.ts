import { CheckpointError } from "../../../core/errors.ts";
import type { NewObject } from "../../../core/objects/object-format.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { BuildCommit, Commit } from "../../../core/store/contract.ts";
import {
  assertWellFormed,
  foreignIdTaken,
  headMoved,
  staleReference,
  trailRemoved,
} from "../../../core/store/refusals.ts";
import type { Bases, Ref } from "./bases.ts";
import type { Database, Query } from "./database.ts";
import { LOG_LOCK } from "./functions.ts";
import { bytesOf, optionalBytes, optionalId } from "./object-rows.ts";
import { pack, type Base, type PackedObject } from "../../../core/store/packing.ts";

type SentObject = NewObject & PackedObject<Ref>;

/** What the function in the schema answered, and what it was given. */
interface Answer {
  readonly outcome: string;
  readonly instead: ObjectId | undefined;
  readonly commit: Commit;
  readonly objects: readonly SentObject[];
}

const PARAMETERS = Array.from({ length: 18 }, (_, at) => `$${at + 1}`).join(", ");
const CALL = `SELECT @commit(${PARAMETERS}) AS answer, pg_backend_pid() AS backend`;

/** The lower 20 bits of an object's number are its place in the commit. */
const MAX_OBJECTS = 2 ** 20 - 1;

/** Commits a change, or what is built while its trail's head is held still. */
export async function writeCommit(database: Database, bases: Bases, change: Commit | BuildCommit) {
  const isBuilt = "build" in change;
  const log = isBuilt || !change.log ? undefined : ("hold" as const);
  const held = isBuilt ? change : { trail: change.trail, prepared: change, log, build: async () => change };
  const { prepared } = held;
  let inDoubt: Commit | undefined;
  assertWellFormed(change.trail);
  if (prepared && (prepared.head || !isBuilt)) {
    const answer = await database.patiently(async (isAgain) =>
      isAgain ? undefined : send(database.write, bases, prepared, !isBuilt),
    );
    if (answer && (!isBuilt || answer.outcome !== "moved")) return finish(bases, answer);
    if (!answer) inDoubt = prepared;
  }
  await commitHeld(database, bases, held, inDoubt);
}

/** Builds a change while its trail is held. What may have landed before the connection was lost is looked for first. */
async function commitHeld(database: Database, bases: Bases, change: BuildCommit, mayHaveLanded?: Commit) {
  const { trail, build, log } = change;
  let inDoubt = mayHaveLanded;
  let answer: Answer | undefined;
  const holdLog = log && `SELECT pg_advisory_xact_lock${log === "share" ? "_shared" : ""}(${LOG_LOCK});`;
  // In hexadecimal digits, because several statements at once take no parameters.
  const name = `convert_from('\\x${Buffer.from(trail).toString("hex")}', 'UTF8')`;
  const begin = `BEGIN; SELECT @enter(false); ${holdLog ?? ""} SELECT head FROM @lock_trail(${name})`;
  await database.repeatable(begin, async (query, [held]) => {
    if (inDoubt && (await hasLanded(query, inDoubt))) return;
    const head = optionalId((held as { head: Uint8Array | null }).head);
    const commit = await build(head);
    if (commit === undefined) return;
    answer = await send(query, bases, commit);
    assertTaken(answer);
    inDoubt = commit;
  });
  if (answer) finish(bases, answer);
}

/** Whether a commit landed. Asked behind the trail's lock, where it has or it never will. */
async function hasLanded(query: Query, { trail, checkpoint, head }: Commit): Promise<boolean> {
  const sql = `SELECT 1 FROM @trails AS t JOIN @checkpoints AS c ON c.trail = t.id
    WHERE t.name = $1 AND c.id = $2 AND ($3 OR head IS DISTINCT FROM $4)`;
  const values = [trail, bytesOf(checkpoint.id), head === undefined, optionalBytes(head?.from)];
  return (await query(sql, values)).length > 0;
}

/**
 * Calls the function; once more with every object whole, if a sweep deleted what one was compressed against. It waits for a
 * commit that holds the trail, or takes that for a head that has moved.
 */
async function send(query: Query, bases: Bases, commit: Commit, waits = true): Promise<Answer> {
  // Each once, children before parents.
  const byId = new Map([...commit.objects, commit.checkpoint].map((each) => [each.id, each]));
  const brought = [...byId.values()];
  await bases.load(brought);
  const attempt = async (baseOf: (object: NewObject) => Base<Ref> | undefined) => {
    const objects = brought.map((object) => ({ ...object, ...pack(object.bytes, baseOf(object)) }));
    const [row] = await query<{ answer: string }>(CALL, valuesOf(commit, objects, waits), "commit");
    const [outcome = "", instead] = row?.answer.split(" ") ?? [];
    return { outcome, instead: (instead || undefined) as ObjectId | undefined, commit, objects };
  };
  const answer = await attempt(({ predecessor }) => bases.get(predecessor));
  const { outcome, instead } = answer;
  const isBase = outcome === "missing" && answer.objects.some(({ base }) => base?.id === instead);
  return isBase ? attempt(() => undefined) : answer;
}

/** Throws for a commit that was refused, and remembers what came with one that landed. */
function finish(bases: Bases, answer: Answer): void {
  assertTaken(answer);
  // Copied unless they are final: a caller that reuses its buffer must not change what the next object is compressed against.
  const kept = (bytes: Uint8Array) => (answer.commit.bytesAreFinal ? bytes : new Uint8Array(bytes));
  for (const object of answer.objects) bases.remember(object, kept(object.bytes), object.base);
}

function assertTaken({ commit: { trail, head, foreignId = "" }, outcome, instead }: Answer): void {
  if (outcome === "removed") throw trailRemoved(trail);
  if (outcome === "moved") throw headMoved(trail, head?.from, instead);
  if (outcome === "foreign") throw foreignIdTaken(trail, foreignId);
  if (outcome === "missing") throw staleReference(instead as ObjectId);
}

/** In the order of the function's parameters. */
function valuesOf(commit: Commit, objects: readonly SentObject[], waits: boolean): unknown[] {
  const { trail, checkpoint, parent, createdAt, head, foreignId, records, revives, adopts, log } = commit;
  assertWellFormed(trail, foreignId, adopts, ...(records?.keys() ?? []));
  if (objects.length > MAX_OBJECTS)
    throw new CheckpointError("usage", `A commit brings at most ${MAX_OBJECTS} objects.`, {
      hint: "Split the change into several commits.",
    });
  // What a base refers to is there if the base is, so that of a long list of links only the new ones are looked up.
  const known = new Set(objects.flatMap(({ id, base }) => [id, ...(base?.links ?? [])]));
  const links = objects.flatMap((object) => object.links.filter((id) => !known.has(id)));
  const needed = new Set([...links, ...objects.flatMap(({ base }) => base?.id ?? [])]);
  const place = [trail, waits, bytesOf(checkpoint.id), optionalBytes(parent), createdAt];
  const moved = [head !== undefined, optionalBytes(head?.from)];
  const ids = objects.map(({ id }) => bytesOf(id));
  const bases = objects.map(({ base }) => optionalBytes(base?.id));
  const data = objects.map((object) => object.data);
  const [keys, contents] = records ? [[...records.keys()], [...records.values()]] : [];
  const entries = log?.map((entry) => JSON.stringify(entry));
  const rest = [foreignId, keys, contents, revives, adopts, entries, commit.logAfter];
  return [...place, ...moved, [...needed].map(bytesOf), ids, bases, data, ...rest];
}
