import { type CheckpointInfo, DAMAGED, infoOrDamage } from "../../../core/trails/document.ts";
import type { WorkDiff } from "../../state/work-diff.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { readTrail } from "../choose-trail.ts";
import { noCheckpointYet } from "../find-project.ts";
import type { Project } from "../project.ts";
import { filteredHistory, filterOf, recentOfAll } from "./filter.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { READING } from "./verbs.ts";

export type ListInput = InputOf<(typeof READING)["list"]>;

export type ListResult = Awaited<ReturnType<typeof list>>;

/** The checkpoints of a trail, or of all, newest first. The trail is null for all. */
export async function list(project: Project, input: ListInput) {
  const { trail, checkpoints } = await find(project, input);
  return { trail, checkpoints: checkpoints.map(infoOrDamage) };
}

export interface LoggedCheckpoint extends CheckpointInfo {
  readonly is_head: boolean;
  /** Whether it was found damaged on the way: it cannot be loaded then. */
  readonly damaged: boolean;
  /** Null for the first of a trail, and where it or the one before cannot be read. */
  readonly changes: WorkDiff | null;
}

export interface LogInput extends ListInput {
  /** Skip the changes of checkpoints that have notes, but for heads: finding them takes time. */
  readonly onlyWithoutNotes?: boolean | undefined;
}

export type LogResult = Awaited<ReturnType<typeof log>>;

/** The same, with what each checkpoint changed. */
export async function log(project: Project, input: LogInput) {
  const { store, trail, checkpoints, heads } = await find(project, input);
  const infos = checkpoints.map(infoOrDamage);
  const described = input.onlyWithoutNotes
    ? checkpoints.filter(({ id }, index) => infos[index]?.notes === null || heads.has(id))
    : checkpoints;
  return { trail, checkpoints: await loggedCheckpoints(store, infos, { described, heads }) };
}

/** What these checkpoints changed: those of `described`, because finding it takes time. */
export async function loggedCheckpoints(
  store: Store,
  infos: readonly CheckpointInfo[],
  { described, heads }: { described: readonly StoredCheckpoint[]; heads: ReadonlySet<ObjectId> },
): Promise<LoggedCheckpoint[]> {
  const { changesOf } = await import("./changes-of.ts");
  const changes = await changesOf(store, described);
  return infos.map((info) => {
    const found = changes.get(info.content_hash) ?? null;
    const damaged = info.trigger === DAMAGED || found === "damaged";
    const is_head = heads.has(info.content_hash);
    return { ...info, is_head, damaged, changes: found === "damaged" ? null : found };
  });
}

async function find(project: Project, input: ListInput) {
  const { trail: named, all = false, limit = 20 } = input;
  const filter = filterOf(project, input);
  if (all && named !== undefined) throw allOrOne(named);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new CheckpointError("usage", `"${limit}" is not a number of checkpoints.`, {
      hint: "Use a whole number, 1 or more.",
    });
  if (all) {
    const { store } = await project.stores.open(project, "read");
    const { checkpoints, heads } = await recentOfAll(store, limit, filter?.(store));
    if (checkpoints.length === 0 && filter === undefined) throw noCheckpointYet();
    return { store, trail: null, checkpoints, heads };
  }
  const { cairn, trail } = await readTrail(project, named);
  const wanted = { limit, filter: filter?.(cairn.store) };
  const checkpoints = await filteredHistory(cairn.store, trail.name, wanted);
  if (checkpoints.length === 0 && filter === undefined) throw noCheckpointYet(trail.name);
  const head = await cairn.store.head(trail.name);
  const heads = new Set(head === undefined ? [] : [head]);
  return { store: cairn.store, trail: trail.name, checkpoints, heads };
}

/** With both given, the caller may mean either. */
export function allOrOne(trail: string): CheckpointError {
  return new CheckpointError("usage", `All trails and only "${trail}" cannot be combined.`, {
    hint: "Leave one of the two out.",
    details: { trail },
  });
}
