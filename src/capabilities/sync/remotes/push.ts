import { isGovernance, refuseGovernance } from "../../../work/project/choose-trail.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { isPartOf } from "../../../core/trails/lines/line.ts";
import { isLineName, lineNames, tooManyLines, trailOfLine } from "../../../core/trails/lines/line-names.ts";
import { deleteUnused } from "../packs/delete-packs.ts";
import { assertConditionsHold } from "../probe.ts";
import { pushTrail, type Pushed, type PushOptions } from "../push.ts";
import type { RemoteHead } from "../documents.ts";
import { readHeadToReplace } from "../remote-trails.ts";
import { writeSetup } from "../setup-document.ts";
import type { Store } from "../../../core/store/contract.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { noCheckpointYet } from "../../../work/project/find-project.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { connect, machineName, randomName, type RemoteLink } from "./connect.ts";
import { changeRemote, chooseRemote } from "./known-remotes.ts";
import { wrappedKey } from "./keys.ts";
import { failedTrail, pullOne, type FailedTrail } from "./pull-one.ts";
import { isOldHead, refuseOldHead, type TrailProgress } from "./pull.ts";
import { cachePushed } from "./remote-show.ts";

export interface PushInput extends TrailProgress {
  readonly remote?: string | undefined;
  /** Only this trail; without it, all that have something new. */
  readonly trail?: string | undefined;
  /** Sends everything again, whatever the remote says that it has. */
  readonly full?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** Asks nothing of the remote while there is nothing new here: for those who look every second. */
  readonly onlyNews?: boolean | undefined;
}

export interface PushedTrail {
  readonly trail: string;
  /** `diverged`: the trail went on in both places; this line is safe on the remote as `as`. */
  readonly outcome: "pushed" | "would push" | "would fetch" | "up to date" | "fast-forwarded" | "diverged";
  readonly checkpoints: number;
  readonly size_bytes: number;
  readonly as: string;
  /** Where the remote's line is kept here, if it differs. */
  readonly kept: string | null;
}

/** Brings what is new here to a remote. */
export async function push(project: Project, input: PushInput) {
  const { store } = await project.stores.open(project, "read");
  if ((await trailsToPush(store, input)).length === 0) throw noCheckpointYet();
  return pushTrails(project, input);
}

/**
 * The same, but where there is nothing yet, nothing is wrong. A trail that another machine moved is fetched, and nothing is overwritten. One that
 * cannot be pushed does not stand in the way of the others.
 */
export async function pushTrails(project: Project, input: PushInput) {
  const { full = false, dryRun = false, onlyNews = false } = input;
  const { store } = await project.stores.open(project, dryRun ? "read" : "write");
  const known = await chooseRemote(project, store, input.remote);
  const pushed: PushedTrail[] = [];
  const failed: FailedTrail[] = [];
  const result = { remote: known.name, dry_run: dryRun, trails: pushed, failed };
  const names: string[] = [];
  for (const name of await trailsToPush(store, input))
    if (!onlyNews || (await store.head(name)) !== known.seen[name]) names.push(name);
  if (onlyNews && names.length === 0) return result;

  const link = await connect(project, store, known);
  const { trails } = link;
  if (input.trail === undefined) await tellOfLines(link);
  const isAsked = full || input.trail !== undefined;
  const needs = await Promise.all(names.map(async (name) => (isAsked ? "push" : needOf(link, name))));
  if (!dryRun && needs.some((need) => need !== "nothing")) await prepare(link);
  // What a machine that comes later needs first. Where it is there, nothing changes.
  if (!dryRun && (full || needs.includes("all"))) await writeSetup(trails.remote, setupOf(link));

  const { now } = project;
  // To send everything again is how an old head is replaced.
  const checkHead = full ? undefined : (head: RemoteHead) => refuseOldHead(link, head);
  const options = { full, dryRun, machine: machineName(project), now, random: randomName, checkHead };
  const seen: Record<string, ObjectId> = {};
  let isMerged = false;
  for (const trail of names.filter((_, index) => needs[index] !== "nothing")) {
    const onProgress = (done: number, total: number) => input.onProgress?.(trail, done, total);
    try {
      const one = await pushTrail(store, trails, trail, { ...options, onProgress });
      isMerged ||= one.isMerged;
      if (one.outcome === "elsewhere") {
        const lost = await afterLostRace(link, trail, options);
        pushed.push(lost.shown);
        if (lost.seen !== null) seen[trail] = lost.seen;
      } else {
        pushed.push(shownPush(one, one.outcome));
        seen[trail] = one.head;
      }
    } catch (error) {
      failed.push(failedTrail(trail, error));
    }
  }
  if (dryRun) return result;
  await changeRemote(project, store, known.name, { seen, synced_at: now().toISOString() });
  await cachePushed(link, seen);
  if (isMerged) await deleteUnused(trails, now()).catch((error: unknown) => tellOfDamage(project, error));
  return result;
}

/**
 * What a trail needs that nobody asked for by name. One that stands where this machine saw it there needs nothing, unless the
 * place was emptied, or set back to an older state: what is wrong with it, its push says.
 */
async function needOf(link: RemoteLink, trail: string): Promise<"nothing" | "push" | "all"> {
  if ((await link.store.head(trail)) !== link.known.seen[trail]) return "push";
  const there = await readHeadToReplace(link.trails, trail);
  if (there === undefined) return "all";
  return there.head === undefined || (await isOldHead(link, there.head)) ? "push" : "nothing";
}

/** A clone proved nothing of the remote's conditions, because it must do with the right to read. */
async function prepare({ project, store, known, trails }: RemoteLink): Promise<void> {
  await askGate(project, "keep.push");
  if (!known.is_unproven) return;
  if (!known.single_writer) await assertConditionsHold(trails.remote, randomName);
  await changeRemote(project, store, known.name, { is_unproven: false });
}

const setupOf = ({ project, known: { key_id: keyId } }: RemoteLink) => ({
  keyId,
  wrapped: keyId === null ? undefined : wrappedKey(project, keyId),
});

/** What a damaged head refers to is unknown, so nothing is deleted until it is repaired. The push itself is done. */
function tellOfDamage({ notices }: Project, error: unknown): void {
  if (!isCheckpointError(error, "corrupt")) throw error;
  notices.warning(`${error.message} Until it is repaired, nothing is deleted there.`);
}

/** The remote moved on: its line comes here, and this machine's own goes there under a name of its own. */
async function afterLostRace(link: RemoteLink, trail: string, options: PushOptions) {
  const nothing = { trail, checkpoints: 0, sizeBytes: 0 };
  if (options.dryRun) return { shown: shownPush(nothing, "would fetch"), seen: null };
  const { outcome, kept, remote_head: seen } = await pullOne(link, trail);
  if (outcome !== "diverged") return { shown: shownPush(nothing, "fast-forwarded"), seen };
  for (const as of lineNames(trail, options.machine)) {
    const one = await pushTrail(link.store, link.trails, trail, { ...options, as });
    if (one.outcome !== "elsewhere") return { shown: { ...shownPush(one, "diverged"), as, kept }, seen };
  }
  throw tooManyLines();
}

/**
 * Those that moved first come first: a fork finds there what it shares with its origin. Lines that were kept beside a
 * trail belong to the machine that pushed them, and what governs a store belongs to that store.
 */
async function trailsToPush(store: Store, { trail }: PushInput): Promise<string[]> {
  if (trail === undefined) {
    const names = (await store.trails()).map(({ name }) => name);
    return names.filter((name) => !isLineName(name) && !isGovernance(name)).toReversed();
  }
  refuseGovernance(trail);
  if ((await store.head(trail)) === undefined) throw noCheckpointYet(trail);
  return [trail];
}

/** Says which lines stay here, other than those that came from the remote. */
async function tellOfLines({ project: { notices }, store, known: { seen } }: RemoteLink): Promise<void> {
  for (const { name, head } of await store.trails()) {
    if (!isLineName(name) || seen[name] === head) continue;
    if (await isPartOf(store, head, seen[trailOfLine(name)])) continue;
    notices.message(
      `${oneLine(name)} stays here: a name with "@" is a line that was kept beside a trail.\nTo push it too: checkpoint push --trail ${oneLine(name)}`,
    );
  }
}

function shownPush(
  { trail, checkpoints, sizeBytes }: Pick<Pushed, "trail" | "checkpoints" | "sizeBytes">,
  outcome: PushedTrail["outcome"],
): PushedTrail {
  return { trail, outcome, checkpoints, size_bytes: sizeBytes, as: trail, kept: null };
}
