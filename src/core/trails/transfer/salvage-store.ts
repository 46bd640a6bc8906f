import { isCheckpointError } from "../../errors.ts";
import { parseHeader } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Progress, Store } from "../../store/contract.ts";
import { isHidden } from "../../store/hidden-trails.ts";
import type { Salvage } from "../../store/sqlite/salvage/salvage.ts";
import { readCheckpoint, type CheckpointInfo } from "../document.ts";
import { parseTrailName } from "../names.ts";
import { isStaging } from "../staging.ts";
import { copyCheckpoint, moveHead } from "./copy-store.ts";

export interface SalvageReport {
  readonly trails: number;
  readonly checkpoints: number;
  /** What the damaged store had, as far as it can be told, and the new one has not. */
  readonly lost: readonly LostPart[];
}

export interface LostPart {
  readonly what: "checkpoint" | "head" | "log";
  /** A checkpoint's name if it can still tell it, else the half of its id that is left; or a trail. */
  readonly name: string;
  readonly trail: string | null;
  readonly why: string;
}

/** A checkpoint that can be told, with where it stood. */
interface Found {
  readonly info: CheckpointInfo;
  readonly bytes: Uint8Array;
  readonly sequence: number;
  readonly trail: string;
  readonly foreignId: string | undefined;
}

/**
 * Copies all checkpoints of a damaged store that are whole into a new one, with their records and the log up to its first
 * damaged entry. Everything is checked against its name before it is written, and the new store is verified at the end.
 */
export async function salvageStore(
  from: Salvage,
  to: Store,
  { onProgress }: Progress = {},
): Promise<SalvageReport> {
  const { found, lost } = await findCheckpoints(from);
  const written = new Set<ObjectId>();
  const newest = new Map<string, Found>();
  for (const [done, each] of found.entries()) {
    const why = await copy(from, to, each, written);
    if (why === undefined) newest.set(each.trail, each);
    else lost.push({ what: "checkpoint", name: each.info.checkpoint_id, trail: each.trail, why });
    onProgress?.(done + 1, found.length);
  }
  await moveHeads(from, to, newest, lost);
  const { damage } = await to.verify();
  // A parent that was lost is listed already; it costs none of those that were copied.
  const costly = damage.filter(({ costs }) => costs.length > 0);
  for (const { what } of costly) lost.push({ what: "checkpoint", name: "?", trail: null, why: what });
  const shown = [...newest.keys()].filter((trail) => !isHidden(trail));
  const checkpoints = await Promise.all(shown.map(async (trail) => to.count(trail)));
  return { trails: shown.length, checkpoints: checkpoints.reduce((sum, each) => sum + each, 0), lost };
}

/** All checkpoints whose own bytes are there, in the order in which they were committed, and those that are not. */
async function findCheckpoints(from: Salvage): Promise<{ found: Found[]; lost: LostPart[] }> {
  const infos = new Map<string, Pick<Found, "info" | "bytes">>();
  for (const id of from.objectIds()) {
    const bytes = (await from.readObjects([id])).get(id);
    const info = bytes && infoIn(id, bytes);
    if (info && !from.isPruned(id)) infos.set(id.slice(0, 32), { info, bytes });
  }
  const found: Found[] = [];
  const lost: LostPart[] = [];
  const placed = new Set<string>();
  for (const { key, sequence, trail, foreignId } of from.places()) {
    const known = infos.get(key);
    const where = known ? (trail ?? known.info.trail) : trail;
    if (where !== undefined && (isStaging(where) || from.isRemoved(where))) continue;
    if (known && where !== undefined && isUsable(where))
      found.push({ ...known, sequence, trail: where, foreignId });
    else
      lost.push({
        what: "checkpoint",
        name: key,
        trail: where ?? null,
        why: "The checkpoint itself is damaged.",
      });
    placed.add(key);
  }
  // What no row places any more goes by what it says itself, after the others, by its date.
  const rest = [...infos].filter(
    ([key, { info }]) => !placed.has(key) && isUsable(info.trail) && !from.isRemoved(info.trail),
  );
  rest.sort(([, one], [, other]) => (one.info.created_at < other.info.created_at ? -1 : 1));
  for (const [, known] of rest)
    found.push({ ...known, sequence: Infinity, trail: known.info.trail, foreignId: undefined });
  return { found, lost };
}

/** A name that nobody could have given would break what lists it. */
function isUsable(trail: string): boolean {
  try {
    return isHidden(trail) || parseTrailName(trail) === trail;
  } catch {
    return false;
  }
}

function infoIn(id: ObjectId, bytes: Uint8Array): CheckpointInfo | undefined {
  try {
    return parseHeader(bytes).kind === "C" ? readCheckpoint(id, bytes).info : undefined;
  } catch {
    return undefined;
  }
}

/** Returns why a checkpoint cannot be copied. */
async function copy(
  from: Salvage,
  to: Store,
  { info, bytes, trail, foreignId }: Found,
  written: Set<ObjectId>,
): Promise<string | undefined> {
  const id = info.content_hash;
  const [parent, createdAt] = [info.parent_hash ?? undefined, Date.parse(info.created_at)];
  const copied = { id, bytes, trail, parent, createdAt, foreignId, records: from.recordsOf(id) };
  try {
    await copyCheckpoint(from.readObjects, to, copied, written);
    return undefined;
  } catch (error) {
    if (!isCheckpointError(error, "corrupt") && !isCheckpointError(error, "conflict")) throw error;
    return error.message;
  }
}

/** Each trail continues from its head, or from the newest of its checkpoints that is whole. The log goes with the last one. */
async function moveHeads(
  from: Salvage,
  to: Store,
  newest: ReadonlyMap<string, Found>,
  lost: LostPart[],
): Promise<void> {
  const heads = from.trails();
  const { entries, left } = from.log();
  const lostLog = (from: number, why: string) =>
    lost.push({ what: "log", name: String(from), trail: null, why });
  if (left > 0)
    lostLog(entries.length + 1, `${left} entries of the log are damaged, or follow a damaged one.`);
  if (newest.size === 0 && entries.length > 0)
    lostLog(1, `${entries.length} entries of the log are left without a checkpoint to save them with.`);
  for (const [trail, head] of heads)
    if (head !== undefined && !newest.has(trail) && !isHidden(trail))
      lost.push({ what: "head", name: trail, trail, why: "No checkpoint of this trail is intact." });
  for (const [index, [trail, last]] of [...newest].entries()) {
    const head = heads.get(trail);
    const stored = (head && (await to.find({ trail, idPrefix: head }))[0]) ?? undefined;
    if (head !== undefined && stored === undefined && !isHidden(trail))
      lost.push({ what: "head", name: trail, trail, why: `It continues from ${last.info.checkpoint_id}.` });
    const [checkpoint] = stored ? [stored] : await to.find({ trail, idPrefix: last.info.content_hash });
    if (checkpoint === undefined) continue;
    await moveHead(to, checkpoint, { from: undefined, log: index === newest.size - 1 ? entries : [] });
  }
}
