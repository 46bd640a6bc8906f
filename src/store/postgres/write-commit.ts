import { CheckpointError } from "../../errors.ts";
import type { NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { BuildCommit, Commit } from "../contract.ts";
import { foreignIdTaken, headMoved, staleReference, trailRemoved } from "../refusals.ts";
import type { Bases, Ref } from "./bases.ts";
import { assertText, CommitInDoubt, literal, type Database, type Query } from "./database.ts";
import { holdLog } from "./log.ts";
import { bytesOf, optionalBytes, optionalId } from "./object-rows.ts";
import { packTightly, type Base, type PackedObject } from "../packing.ts";

interface Outcome {
  readonly outcome: "taken" | "removed" | "moved" | "foreign id" | "stale" | "base";
  readonly instead: Uint8Array | null;
}

type PackedObjects = readonly (readonly [object: NewObject, packed: PackedObject<Ref>])[];

/** What the function in the schema answered, and what it was given. */
interface Answer extends Outcome {
  readonly commit: Commit;
  readonly objects: PackedObjects;
}

/** The lower 20 bits of an object's number are its place in the commit. */
const MAX_OBJECTS = 2 ** 20 - 1;

const CALL = `SELECT * FROM @commit(${Array.from({ length: 18 }, (_, at) => `$${at + 1}`).join(", ")})`;

/** Commits a change, or what is built while its trail's head is held still. */
export async function writeCommit(
  database: Database,
  bases: Bases,
  change: Commit | BuildCommit,
): Promise<void> {
  const isBuilt = "build" in change;
  const commit = isBuilt ? change.prepared : change;
  assertText(change.trail);
  if (commit && (commit.head || !isBuilt)) {
    const answer = await call(database, bases, commit);
    if (!isBuilt || answer.outcome !== "moved") return finish(bases, answer);
  }
  if (isBuilt) await commitBuilt(database, bases, change);
}

/** Calls until there is an answer. One that was lost is asked for behind the trail's lock, where the commit has landed or not. */
function call(database: Database, bases: Bases, commit: Commit, mayHaveLanded = false): Promise<Answer> {
  return database.patiently((isRepeated) => send(database.write, bases, commit, mayHaveLanded || isRepeated));
}

/** If the connection is lost before COMMIT, nothing has happened, and the change is built again. */
async function commitBuilt(database: Database, bases: Bases, change: BuildCommit): Promise<void> {
  const begin = `BEGIN; SELECT head FROM @hold(${literal(change.trail)})`;
  await database.patiently(async () => {
    let answer: Answer | undefined;
    try {
      await database.transaction(begin, async (query, [held]) => {
        const { head } = held as { head: Uint8Array | null };
        let commit = await change.build(optionalId(head));
        // Then nobody else can append until this is over, so that a second time is enough.
        if (commit?.logAfter !== undefined && (await holdLog(query, database.schema)) !== commit.logAfter)
          commit = await change.build(optionalId(head));
        answer = commit && (await send(query, bases, commit, false));
        if (answer) assertTaken(answer);
      });
    } catch (error) {
      if (!(error instanceof CommitInDoubt) || answer === undefined) throw error;
      answer = await call(database, bases, answer.commit, true);
    }
    if (answer) finish(bases, answer);
  });
}

/** Calls the function; once more with every object whole, if a sweep deleted what one was compressed against. */
async function send(query: Query, bases: Bases, commit: Commit, isAgain: boolean): Promise<Answer> {
  const brought = objectsOf(commit);
  await bases.load(brought);
  const attempt = async (baseOf: (object: NewObject) => Base<Ref> | undefined): Promise<Answer> => {
    const objects = brought.map((object) => [object, packTightly(object.bytes, baseOf(object))] as const);
    const [outcome] = await query<Outcome>(CALL, [...valuesOf(commit, objects), isAgain]);
    return { ...(outcome as Outcome), commit, objects };
  };
  const answer = await attempt(({ predecessor }) => bases.get(predecessor));
  return answer.outcome === "base" ? attempt(() => undefined) : answer;
}

/** Throws for a commit that was refused, and remembers what came with one that landed. */
function finish(bases: Bases, answer: Answer): void {
  assertTaken(answer);
  // Copied unless they are final: a caller that reuses its buffer must not change what the next object is compressed against.
  for (const [{ id, bytes }, { base }] of answer.objects)
    bases.remember(id, answer.commit.bytesAreFinal ? bytes : new Uint8Array(bytes), base);
}

function assertTaken({ commit: { trail, head, foreignId = "" }, outcome, instead }: Answer): void {
  if (outcome === "removed") throw trailRemoved(trail);
  if (outcome === "moved") throw headMoved(trail, head?.from, optionalId(instead));
  if (outcome === "foreign id") throw foreignIdTaken(trail, foreignId);
  if (outcome === "stale") throw staleReference(optionalId(instead) as ObjectId);
}

/** Each once, children before parents. */
function objectsOf({ objects, checkpoint }: Commit): NewObject[] {
  return [...new Map([...objects, checkpoint].map((object) => [object.id, object])).values()];
}

function valuesOf(commit: Commit, objects: PackedObjects): unknown[] {
  const { trail, checkpoint, parent, createdAt, head, foreignId, adopts, records, log } = commit;
  assertText(trail, foreignId, adopts, ...(records?.keys() ?? []));
  if (objects.length > MAX_OBJECTS)
    throw new CheckpointError("usage", `A commit brings at most ${MAX_OBJECTS} objects.`, {
      hint: "Split the change into several commits.",
    });
  const brought = new Set(objects.map(([{ id }]) => id));
  const links = new Set(objects.flatMap(([object]) => object.links));
  return [
    trail,
    bytesOf(checkpoint.id),
    optionalBytes(parent),
    createdAt,
    head !== undefined,
    optionalBytes(head?.from),
    foreignId ?? null,
    commit.revives ?? false,
    adopts ?? null,
    [...links].filter((id) => !brought.has(id)).map(bytesOf),
    objects.map(([{ id }]) => bytesOf(id)),
    objects.map(([, { base }]) => optionalBytes(base?.id)),
    objects.map(([, { data }]) => data.length),
    Buffer.concat(objects.map(([, { data }]) => data)),
    records ? [...records.keys()] : null,
    records ? [...records.values()] : null,
    log ? log.map((entry) => JSON.stringify(entry)) : null,
  ];
}
