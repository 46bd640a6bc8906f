import { CheckpointError } from "../../errors.ts";
import type { NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { BuildCommit, Commit } from "../contract.ts";
import { foreignIdTaken, headMoved, staleReference, trailRemoved } from "../refusals.ts";
import type { Bases, Ref } from "./bases.ts";
import { assertText, CommitInDoubt, literal, type Database, type Query } from "./database.ts";
import { holdLog } from "./log.ts";
import { bytesOf, optionalBytes, optionalId } from "./object-rows.ts";
import { packTightly, type PackedObject } from "../packing.ts";

/** A change as the function in the schema takes it, and what is remembered of it once it has landed. */
interface PackedCommit {
  readonly commit: Commit;
  readonly objects: readonly (readonly [object: NewObject, packed: PackedObject<Ref>])[];
  readonly values: readonly unknown[];
}

interface Outcome {
  readonly outcome: "taken" | "removed" | "moved" | "foreign id" | "stale" | "base";
  readonly instead: Uint8Array | null;
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
  if (!("build" in change)) return commitOnce(database, bases, change);
  assertText(change.trail);
  const { prepared } = change;
  if (prepared?.head && (await landsAsPrepared(database, bases, prepared))) return;
  await commitBuilt(database, bases, change);
}

/** False when the head has moved on since the change was prepared. */
async function landsAsPrepared(database: Database, bases: Bases, prepared: Commit): Promise<boolean> {
  const outcome = await call(database, bases, await packCommit(bases, prepared));
  if (outcome.outcome === "moved") return false;
  assertTaken(prepared, outcome);
  return true;
}

async function commitOnce(database: Database, bases: Bases, commit: Commit): Promise<void> {
  assertTaken(commit, await call(database, bases, await packCommit(bases, commit)));
}

/** Calls until there is an answer. One that was lost is asked for behind the trail's lock, where the commit has landed or not. */
async function call(
  database: Database,
  bases: Bases,
  packed: PackedCommit,
  mayHaveLanded = false,
): Promise<Outcome> {
  const outcome = await database.patiently(async (isRepeated) => {
    const [first] = await database.write<Outcome>(CALL, [...packed.values, mayHaveLanded || isRepeated]);
    return first as Outcome;
  });
  if (outcome.outcome === "taken") remember(bases, packed);
  if (outcome.outcome !== "base") return outcome;
  return call(database, bases, packWhole(packed.commit), mayHaveLanded);
}

/** If the connection is lost before COMMIT, nothing has happened, and the change is built again. */
async function commitBuilt(database: Database, bases: Bases, change: BuildCommit): Promise<void> {
  const begin = `BEGIN; SELECT head FROM @hold(${literal(change.trail)})`;
  await database.patiently(async () => {
    let built: PackedCommit | undefined;
    try {
      await database.transaction(begin, async (query, [held]) => {
        const { head } = held as { head: Uint8Array | null };
        let commit = await change.build(optionalId(head));
        // Then nobody else can append until this is over, so that a second time is enough.
        if (commit?.logAfter !== undefined && (await holdLog(query, database.schema)) !== commit.logAfter)
          commit = await change.build(optionalId(head));
        built = commit && (await packCommit(bases, commit));
        if (built) built = await callHeld(query, built);
      });
    } catch (error) {
      if (!(error instanceof CommitInDoubt) || built === undefined) throw error;
      assertTaken(built.commit, await call(database, bases, built, true));
    }
    if (built) remember(bases, built);
  });
}

async function callHeld(query: Query, packed: PackedCommit): Promise<PackedCommit> {
  const [first] = await query<Outcome>(CALL, [...packed.values, false]);
  const outcome = first as Outcome;
  if (outcome.outcome === "base") return callHeld(query, packWhole(packed.commit));
  assertTaken(packed.commit, outcome);
  return packed;
}

function assertTaken({ trail, head, foreignId = "" }: Commit, { outcome, instead }: Outcome): void {
  if (outcome === "removed") throw trailRemoved(trail);
  if (outcome === "moved") throw headMoved(trail, head?.from, optionalId(instead));
  if (outcome === "foreign id") throw foreignIdTaken(trail, foreignId);
  if (outcome === "stale") throw staleReference(optionalId(instead) as ObjectId);
}

async function packCommit(bases: Bases, commit: Commit): Promise<PackedCommit> {
  const objects = objectsOf(commit);
  await bases.load(objects);
  return packed(
    commit,
    objects.map((object) => [object, packTightly(object.bytes, bases.get(object.predecessor))]),
  );
}

/** A sweep deleted what an object was compressed against. */
function packWhole(commit: Commit): PackedCommit {
  return packed(
    commit,
    objectsOf(commit).map((object) => [object, packTightly<Ref>(object.bytes)]),
  );
}

/** Each once, children before parents. */
function objectsOf({ objects, checkpoint }: Commit): NewObject[] {
  return [...new Map([...objects, checkpoint].map((object) => [object.id, object])).values()];
}

function packed(commit: Commit, objects: PackedCommit["objects"]): PackedCommit {
  const {
    trail,
    checkpoint,
    parent,
    createdAt,
    head,
    foreignId,
    revives = false,
    adopts,
    records,
    log,
  } = commit;
  assertText(trail, foreignId, adopts, ...(records?.keys() ?? []));
  if (objects.length > MAX_OBJECTS)
    throw new CheckpointError("usage", `A commit brings at most ${MAX_OBJECTS} objects.`, {
      hint: "Split the change into several commits.",
    });
  const brought = new Set(objects.map(([{ id }]) => id));
  const links = new Set(objects.flatMap(([object]) => object.links));
  const values = [
    trail,
    bytesOf(checkpoint.id),
    optionalBytes(parent),
    createdAt,
    head !== undefined,
    optionalBytes(head?.from),
    foreignId ?? null,
    revives,
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
  return { commit, objects, values };
}

/** Copied unless they are final: a caller that reuses its buffer must not change what the next object is compressed against. */
function remember(bases: Bases, { commit, objects }: PackedCommit): void {
  for (const [{ id, bytes }, { base }] of objects)
    bases.remember(id, commit.bytesAreFinal ? bytes : new Uint8Array(bytes), base);
}
