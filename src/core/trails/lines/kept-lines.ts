import type { ObjectId } from "../../objects/object-id.ts";
import type { Commit, Store, StoredTrail } from "../../store/contract.ts";
import { noSuchCheckpoint } from "../../store/refusals.ts";
import { commitOfStored } from "../document.ts";
import { isPartOf } from "./line.ts";
import { linePrefix, lineNames, tooManyLines, trailOfLine } from "./line-names.ts";

/** Another line of a trail, gathered in a hidden trail. */
export interface OtherLine {
  readonly staging: string;
  /** The machine that moved it last. */
  readonly machine: string;
  /** Its head, ready to be committed to the trail that keeps it. */
  readonly last: KeptCommit;
}

export type KeptCommit = Omit<Commit, "trail" | "head">;

/** The lines that are kept beside a trail, `main@laptop` and the like, by name. */
export async function keptLines(store: Store, trail: string): Promise<StoredTrail[]> {
  const lines = await store.trails({ prefix: linePrefix(trail) });
  return lines.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The names of those that are not joined with the trail yet. */
export async function openLines(store: Store, trail: string): Promise<string[]> {
  const head = await store.head(trail);
  const open: string[] = [];
  for (const line of await keptLines(store, trail))
    if (!(await isPartOf(store, line.head, head))) open.push(line.name);
  return open;
}

/**
 * Keeps the other line of a diverged trail as a visible trail, and returns its name. A line that is there already is not
 * kept twice, and one that it continues goes on under its name; nothing that is there is moved to another line.
 */
export async function keepLine(
  store: Store,
  trail: string,
  { staging, last, machine }: OtherLine,
): Promise<string> {
  const { id } = last.checkpoint;
  const adopts = (await store.head(staging)) === undefined ? undefined : staging;
  const lines = (await keptLines(store, trailOfLine(trail))).filter(({ name }) => name !== trail);
  for (const { name, head } of lines) {
    if (!(await isPartOf(store, id, head))) continue;
    if (adopts !== undefined) await store.remove({ trails: [adopts] });
    return name;
  }
  for (const name of [...lines.map((line) => line.name), ...lineNames(trail, machine)]) {
    const from = await store.head(name);
    if (from !== undefined && !(await isPartOf(store, from, id))) continue;
    await store.commit({ ...last, trail: name, head: { from }, adopts, revives: true });
    return name;
  }
  throw tooManyLines();
}

/**
 * Ends the lines of a trail that the trail itself or another line has come to hold: what they consist of moves there. So
 * all machines end up with the same heads, however they got there.
 */
export async function dissolveLines(store: Store, trail: string): Promise<void> {
  const lines = await keptLines(store, trail);
  if (lines.length === 0) return;
  const heads = new Map([
    [trail, await store.head(trail)],
    ...lines.map(({ name, head }) => [name, head] as const),
  ]);
  // Of two that are equal, the one whose name comes first stays.
  for (const line of lines.toReversed()) {
    for (const [name, head] of heads) {
      if (name === line.name || !(await isPartOf(store, line.head, head))) continue;
      await absorb(store, line, name);
      heads.delete(line.name);
      break;
    }
  }
}

async function absorb(store: Store, line: StoredTrail, into: string): Promise<void> {
  await store.commit({
    trail: into,
    build: async (head) => {
      // Somebody may have gone on with it under its own name meanwhile.
      if (head === undefined || (await store.head(line.name)) !== line.head) return undefined;
      return {
        ...(await commitOfPresent(store, head)),
        trail: into,
        head: { from: head },
        adopts: line.name,
      };
    },
  });
}

/** A checkpoint that is here, ready to be committed to another trail. */
export async function commitOfPresent(store: Store, id: ObjectId): Promise<KeptCommit> {
  const [stored] = await store.lineage(id, { limit: 1 });
  if (stored?.id !== id) throw noSuchCheckpoint(id);
  return commitOfStored(stored);
}
