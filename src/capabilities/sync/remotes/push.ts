import { isGovernance, refuseGovernance } from "../../../work/project/choose-trail.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { isPartOf } from "../../../core/trails/lines/line.ts";
import { isLineName, lineNames, tooManyLines, trailOfLine } from "../../../core/trails/lines/line-names.ts";
import type { Remote } from "../contract.ts";
import { deleteUnused } from "../packs/delete-packs.ts";
import { assertConditionsHold } from "../probe.ts";
import { pushTrail, type Pushed, type PushOptions } from "../push.ts";
import type { RemoteHead } from "../documents.ts";
import { readHeadToReplace, type RemoteTrails } from "../remote-trails.ts";
import { writeSetup } from "../setup-document.ts";
import type { Store } from "../../../core/store/contract.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { noCheckpointYet } from "../../../work/project/find-project.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { connect, machineName, randomName } from "./connect.ts";
import { changeRemote, chooseRemote, type KnownRemote } from "./known-remotes.ts";
import { wrappedKey } from "./keys.ts";
import { failedTrail, pullOne, type FailedTrail, type PulledTrail } from "./pull-one.ts";
import { isOldHead, refuseOldHead } from "./pull.ts";
import { cachePushed } from "./remote-show.ts";
import { onTrail, type TrailProgress } from "./trail-progress.ts";

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
  const { full, dryRun = false } = input;
  const { store } = await project.stores.open(project, dryRun ? "read" : "write");
  const known = await chooseRemote(project, store, input.remote);
  const names = await trailsToPush(store, input);
  const asSeen = await unchangedTrails(store, known, names);
  const pushed: PushedTrail[] = [];
  const failed: FailedTrail[] = [];
  const result = { remote: known.name, dry_run: dryRun, trails: pushed, failed };
  if (input.onlyNews && asSeen.length === names.length) return result;
  const trails = await connect(project, known);
  const seen: Record<string, ObjectId> = {};
  let isMerged = false;
  // To send everything again is how an old head is replaced.
  const checkHead = full ? undefined : (head: RemoteHead) => refuseOldHead(store, head, known);
  const { now } = project;
  const options = { full, dryRun, machine: machineName(project), now, random: randomName, checkHead };
  if (input.trail === undefined) await tellOfLines(project, store, known);
  const { same, lost } = await compareWithSeen({ store, trails, known }, asSeen, input);
  if (!dryRun && names.some((name) => !same.has(name))) {
    await askGate(project, "keep.push");
    await proveConditions({ project, store, known }, trails.remote);
  }
  // What a machine that comes later needs first. Where it is there, nothing changes.
  if ((full || lost) && !dryRun) await writeSetup(trails.remote, setupOf(project, known));
  for (const trail of names) {
    if (same.has(trail)) continue;
    try {
      const one = await pushTrail(store, trails, trail, { ...options, ...onTrail(input, trail) });
      const isLost = one.outcome === "elsewhere";
      const done = isLost
        ? await afterLostRace({ project, store, trails, known: known.name, trail }, options)
        : { shown: shownPush(one, one.outcome), seen: dryRun ? undefined : one.head };
      isMerged ||= one.isMerged;
      pushed.push(done.shown);
      if (done.seen !== undefined) seen[trail] = done.seen;
    } catch (error) {
      failed.push(failedTrail(trail, error));
    }
  }
  if (!dryRun) await changeRemote(project, store, known.name, { seen, synced_at: now().toISOString() });
  await cachePushed(project, known, { store, trails, heads: seen });
  if (isMerged) await deleteUnused(trails, now()).catch((error: unknown) => tellOfDamage(project, error));
  return result;
}

/** A clone proved nothing, because it must do with the right to read. */
async function proveConditions(
  { project, store, known }: { project: Project; store: Store; known: KnownRemote },
  remote: Remote,
): Promise<void> {
  if (!known.is_unproven) return;
  if (!known.single_writer) await assertConditionsHold(remote, randomName);
  await changeRemote(project, store, known.name, { is_unproven: false });
}

/** What a damaged head refers to is unknown, so nothing is deleted until it is repaired. The push itself is done. */
function tellOfDamage({ notices }: Project, error: unknown): void {
  if (!isCheckpointError(error, "corrupt")) throw error;
  notices.warning(`${error.message} Until it is repaired, nothing is deleted there.`);
}

const setupOf = (project: Project, { key_id: keyId }: KnownRemote) => ({
  keyId,
  wrapped: keyId === null ? undefined : wrappedKey(project, keyId),
});

/** Trails that stand where this machine last saw them on the remote. */
async function unchangedTrails(
  store: Store,
  { seen }: KnownRemote,
  names: readonly string[],
): Promise<string[]> {
  const unchanged: string[] = [];
  for (const name of names) if ((await store.head(name)) === seen[name]) unchanged.push(name);
  return unchanged;
}

/**
 * Those of them that need no push: a place that was emptied, or set back to an older state, must not pass for one that is up
 * to date. What is wrong with the others, their push says. A trail that was asked for by name is looked at in any case.
 */
async function compareWithSeen(
  { store, trails, known }: { store: Store; trails: RemoteTrails; known: KnownRemote },
  asSeen: readonly string[],
  { trail, full = false, onlyNews = false }: PushInput,
): Promise<{ readonly same: ReadonlySet<string>; readonly lost: boolean }> {
  if (trail !== undefined || full) return { same: new Set(), lost: false };
  if (onlyNews) return { same: new Set(asSeen), lost: false };
  const same = new Set<string>();
  let lost = false;
  const look = async (name: string) => {
    const there = await readHeadToReplace(trails, name);
    lost ||= there === undefined;
    if (there?.head !== undefined && !(await isOldHead(store, there.head, known))) same.add(name);
  };
  await Promise.all(asSeen.map(look));
  return { same, lost };
}

interface LostRace {
  readonly project: Project;
  readonly store: Store;
  readonly trails: RemoteTrails;
  readonly known: string;
  readonly trail: string;
}

/** The remote moved on: its line comes here, and this machine's own goes there under a name of its own. */
async function afterLostRace({ project, store, trails, known, trail }: LostRace, options: PushOptions) {
  const nothing = { trail, checkpoints: 0, sizeBytes: 0 };
  if (options.dryRun) return { shown: shownPush(nothing, "would fetch"), seen: undefined };
  const pulled: PulledTrail = await pullOne(project, { store, trails, remoteName: known, trail });
  const seen = pulled.remote_head ?? undefined;
  if (pulled.outcome !== "diverged") return { shown: shownPush(nothing, "fast-forwarded"), seen };
  for (const as of lineNames(trail, options.machine)) {
    const one = await pushTrail(store, trails, trail, { ...options, as });
    if (one.outcome === "elsewhere") continue;
    return { shown: { ...shownPush(one, "diverged"), as, kept: pulled.kept }, seen };
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
async function tellOfLines({ notices }: Project, store: Store, { seen }: KnownRemote): Promise<void> {
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
