import { CheckpointError } from "../../errors.ts";
import type { NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { BuildCommit, Commit } from "../contract.ts";
import { foreignIdTaken, headMoved, staleReference, trailRemoved } from "../refusals.ts";
import type { Bases, Ref } from "./bases.ts";
import { chainEntries, type ChainedEntry } from "../log-chain.ts";
import { assertText, literal, type Database, type Query } from "./database.ts";
import { holdLog } from "./log.ts";
import { bytesOf, optionalBytes, optionalId } from "./object-rows.ts";
import { packTightly, type Base, type PackedObject } from "../packing.ts";

type PackedObjects = readonly (readonly [object: NewObject, packed: PackedObject<Ref>])[];

/** What the function in the schema answered, and what it was given. */
interface Answer {
  readonly outcome: "taken" | "removed" | "moved" | "foreign id" | "missing";
  readonly instead: ObjectId | undefined;
  readonly commit: Commit;
  readonly objects: PackedObjects;
}

/** The lower 20 bits of an object's number are its place in the commit. */
const MAX_OBJECTS = 2 ** 20 - 1;

const CALL = `SELECT * FROM @commit(${Array.from({ length: 18 }, (_, at) => `$${at + 1}`).join(", ")})`;

/** Whether a commit landed. Asked behind the trail's lock, where it has or it never will. */
const HAS_LANDED = `SELECT 1 FROM @trails AS t JOIN @checkpoints AS c ON c.trail = t.id
  WHERE t.name = $1 AND c.id = $2 AND ($3 OR head IS DISTINCT FROM $4)`;

/** Commits a change, or what is built while its trail's head is held still. */
export async function writeCommit(
  database: Database,
  bases: Bases,
  change: Commit | BuildCommit,
): Promise<void> {
  const commit = "build" in change ? change.prepared : change;
  assertText(change.trail);
  // Entries of the log continue its chain, so what brings some is written while that is held.
  if (commit && !commit.log && (commit.head || !("build" in change))) {
    const answer = await database.patiently((isAgain) =>
      send(database.write, bases, commit, { isAgain, log: [] }),
    );
    if (!("build" in change) || answer.outcome !== "moved") return finish(bases, answer);
  }
  const build = "build" in change ? change.build : async () => change;
  await commitBuilt(database, bases, { trail: change.trail, build });
}

/** If the connection is lost and nothing has landed, the change is built again. */
async function commitBuilt(database: Database, bases: Bases, { trail, build }: BuildCommit): Promise<void> {
  let answer: Answer | undefined;
  await database.repeatable(`BEGIN; SELECT head FROM @hold(${literal(trail)})`, async (query, [held]) => {
    if (answer && (await hasLanded(query, answer.commit))) return;
    answer = undefined;
    const head = optionalId((held as { head: Uint8Array | null }).head);
    let commit = await build(head);
    const last = commit?.log && (await holdLog(query, database.schema));
    // Nobody else can append until this is over, so that a second time is enough.
    if (last && commit?.logAfter !== undefined && commit.logAfter !== last.number) commit = await build(head);
    if (commit === undefined) return;
    const log = last && commit.log ? chainEntries(last.hash, last, commit.log) : [];
    answer = await send(query, bases, commit, { isAgain: false, log });
    assertTaken(answer);
  });
  if (answer) finish(bases, answer);
}

async function hasLanded(query: Query, { trail, checkpoint, head }: Commit): Promise<boolean> {
  const values = [trail, bytesOf(checkpoint.id), head === undefined, optionalBytes(head?.from)];
  return (await query(HAS_LANDED, values)).length > 0;
}

/** Calls the function; once more with every object whole, if a sweep deleted what one was compressed against. */
async function send(
  query: Query,
  bases: Bases,
  commit: Commit,
  { isAgain, log }: { readonly isAgain: boolean; readonly log: readonly ChainedEntry[] },
): Promise<Answer> {
  const brought = objectsOf(commit);
  await bases.load(brought);
  const links = linksFrom(brought);
  const attempt = async (baseOf: (object: NewObject) => Base<Ref> | undefined): Promise<Answer> => {
    const objects = brought.map((object) => [object, packTightly(object.bytes, baseOf(object))] as const);
    const entries = [log.map(({ text }) => text), log.map(({ hash }) => hash)];
    const [row] = await query<{ outcome: Answer["outcome"]; instead: Uint8Array | null }>(CALL, [
      ...valuesOf(commit, objects, links),
      ...entries,
      isAgain,
    ]);
    return { outcome: row?.outcome ?? "missing", instead: optionalId(row?.instead ?? null), commit, objects };
  };
  const answer = await attempt(({ predecessor }) => bases.get(predecessor));
  const isBaseMissing = answer.outcome === "missing" && !links.has(answer.instead as ObjectId);
  return isBaseMissing ? attempt(() => undefined) : answer;
}

/** What objects refer to and do not bring themselves. */
function linksFrom(objects: readonly NewObject[]): Set<ObjectId> {
  const brought = new Set(objects.map(({ id }) => id));
  return new Set(objects.flatMap(({ links }) => links).filter((id) => !brought.has(id)));
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
  if (outcome === "moved") throw headMoved(trail, head?.from, instead);
  if (outcome === "foreign id") throw foreignIdTaken(trail, foreignId);
  if (outcome === "missing") throw staleReference(instead as ObjectId);
}

/** Each once, children before parents. */
function objectsOf({ objects, checkpoint }: Commit): NewObject[] {
  return [...new Map([...objects, checkpoint].map((object) => [object.id, object])).values()];
}

function valuesOf(commit: Commit, objects: PackedObjects, links: ReadonlySet<ObjectId>): unknown[] {
  const { trail, checkpoint, parent, createdAt, head, foreignId, adopts, records } = commit;
  assertText(trail, foreignId, adopts, ...(records?.keys() ?? []));
  if (objects.length > MAX_OBJECTS)
    throw new CheckpointError("usage", `A commit brings at most ${MAX_OBJECTS} objects.`, {
      hint: "Split the change into several commits.",
    });
  const baseIds = objects.map(([, { base }]) => base?.id);
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
    [...links, ...baseIds.filter((id) => id !== undefined)].map(bytesOf),
    objects.map(([{ id }]) => bytesOf(id)),
    baseIds.map(optionalBytes),
    objects.map(([, { data }]) => data),
    records ? [...records.keys()] : null,
    records ? [...records.values()] : null,
  ];
}
