import { CheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { RemoteHead } from "../documents.ts";
import { openLines } from "../../../core/trails/lines/kept-lines.ts";
import { isPartOf } from "../../../core/trails/lines/line.ts";
import { isLineName, trailOfLine } from "../../../core/trails/lines/line-names.ts";
import { listHeads, readRemoteHead } from "../remote-trails.ts";
import type { Store } from "../../../core/store/contract.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { refuseGovernance } from "../../../work/project/choose-trail.ts";
import type { Project } from "../../../work/project/project.ts";
import { connect, type RemoteLink } from "./connect.ts";
import { changeRemote, chooseRemote, knownRemotes } from "./known-remotes.ts";
import {
  failedTrail,
  joinLeftLines,
  pulledTrail,
  pullOne,
  type FailedTrail,
  type PulledTrail,
} from "./pull-one.ts";

/** Tells how far each trail is. */
export interface TrailProgress {
  readonly onProgress?: ((trail: string, done: number, total: number) => void) | undefined;
}

export interface PullInput extends TrailProgress {
  readonly remote?: string | undefined;
  /** Only this trail; without it, all that the remote has. */
  readonly trail?: string | undefined;
  /** Joins trails that went on in both places, where they do not clash. */
  readonly join?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Brings what a remote has. A trail that went on in both places stays as it is, and the other line comes beside it. `join`
 * also joins lines that were left beside a trail earlier.
 */
export async function pull(project: Project, input: PullInput) {
  const isLocal = await needsNoRemote(project, input);
  const pulled = isLocal
    ? { remote: "", dry_run: false, trails: [], failed: [] }
    : await pullTrails(project, input);
  if (!input.join || input.dryRun) return pulled;
  const { store } = await project.stores.open(project, "write", "keep.pull");
  const [trails, failed] = [[...pulled.trails], [...pulled.failed]];
  const names = new Set(
    input.trail === undefined ? trails.map(({ trail }) => trailOfLine(trail)) : [input.trail],
  );
  // One that clashes with the remote itself comes first.
  for (const { trail } of failed) names.delete(trail);
  for (const name of names) {
    const left = await joinLeftLines(project, store, name);
    trails.push(...left.joined);
    failed.push(...left.failed);
  }
  return { ...pulled, trails, failed };
}

/** Whether it is only to join lines that are here, as those that a mirror brought, and there is no remote to ask. */
async function needsNoRemote(project: Project, { remote, trail, join, dryRun }: PullInput): Promise<boolean> {
  if (!join || dryRun || trail === undefined || remote !== undefined) return false;
  const { store } = await project.stores.open(project, "read");
  if ((await knownRemotes(project, store)).length > 0) return false;
  return (await openLines(store, trailOfLine(trail))).length > 0;
}

/** The same, but lines that are beside a trail stay: machines that sync at the same time would join them over and over. */
export async function pullTrails(project: Project, input: PullInput) {
  const { join, dryRun = false } = input;
  const { store } = await project.stores.open(project, dryRun ? "read" : "write", "keep.pull");
  const link = await connect(project, store, await chooseRemote(project, store, input.remote));
  const { known, trails } = link;
  const done: PulledTrail[] = [];
  const failed: FailedTrail[] = [];
  // One damaged head does not stand in the way of the others.
  const onDamage = (name: string, error: unknown) => {
    const seenAs = Object.keys(known.seen).find((each) => trails.sealing.nameOf("heads", each) === name);
    failed.push(failedTrail(seenAs ?? name, error));
  };
  const heads =
    input.trail === undefined
      ? linesLast(await listHeads(trails, onDamage))
      : [(await readRemoteHead(trails, input.trail))?.head ?? notThere(link, input.trail)];
  const seen: Record<string, ObjectId> = {};
  for (const head of heads) {
    const { trail } = head;
    const onProgress = (now: number, total: number) => input.onProgress?.(trail, now, total);
    try {
      refuseGovernance(trail);
      await refuseOldHead(link, head);
      done.push(
        dryRun ? await wouldPull(store, head) : await pullOne(link, trail, { head, join, onProgress }),
      );
      seen[trail] = head.head;
    } catch (error) {
      failed.push(failedTrail(trail, error));
    }
  }
  if (input.trail === undefined) failed.push(...(await missingTrails(link, [...heads, ...failed])));
  if (!dryRun)
    await changeRemote(project, store, known.name, { seen, synced_at: project.now().toISOString() });
  return { remote: known.name, dry_run: dryRun, trails: done, failed };
}

/** What the trail beside a line holds by then need not come. */
const linesLast = (heads: readonly RemoteHead[]) =>
  heads.toSorted((one, other) => Number(isLineName(one.trail)) - Number(isLineName(other.trail)));

export function notThere({ trails: { remote } }: RemoteLink, trail: string): never {
  throw new CheckpointError("not-found", `${remote.label} has no trail "${trail}".`, {
    hint: "To see what it has: checkpoint pull --dry-run",
    details: { trail },
  });
}

/** Trails of this store that were there, and are gone. Nothing of ours removes a head. */
async function missingTrails(
  { store, known: { name, seen } }: RemoteLink,
  heads: readonly { readonly trail: string }[],
): Promise<FailedTrail[]> {
  const there = new Set(heads.map(({ trail }) => trail));
  const missing: FailedTrail[] = [];
  for (const trail of Object.keys(seen)) {
    if (there.has(trail) || (await store.head(trail)) === undefined) continue;
    missing.push({
      trail,
      code: "corrupt",
      message: `The remote "${name}" has lost "${trail}", which this machine has seen there.`,
      hint: `It is safe here. To send it again: checkpoint push --full --trail ${shellWord(trail)}`,
    });
  }
  return missing;
}

/** Whether the remote stands before what this machine saw there: then somebody put an old head back. */
export async function isOldHead(
  { store, known: { seen } }: RemoteLink,
  { trail, head }: RemoteHead,
): Promise<boolean> {
  const newest = seen[trail];
  return newest !== undefined && newest !== head && (await isPartOf(store, head, newest));
}

export async function refuseOldHead(link: RemoteLink, remote: RemoteHead): Promise<void> {
  if (!(await isOldHead(link, remote))) return;
  const { trail, head } = remote;
  const { known } = link;
  throw new CheckpointError(
    "corrupt",
    `The remote "${known.name}" shows an older state of "${trail}" than this machine has seen there.`,
    {
      hint: `An old copy may have been restored there. Nothing was taken or sent. To bring it up to date: checkpoint push --full --trail ${shellWord(trail)}`,
      details: { trail, seen: known.seen[trail], found: head },
    },
  );
}

async function wouldPull(store: Store, remote: RemoteHead): Promise<PulledTrail> {
  const local = await store.head(remote.trail);
  const isAhead = await isPartOf(store, remote.head, local);
  const outcome = local === remote.head ? "up to date" : isAhead ? "ahead" : "would pull";
  return pulledTrail(remote.trail, outcome, remote);
}
