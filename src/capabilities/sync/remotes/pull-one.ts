import { isCheckpointError, type ErrorCode } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { RemoteHead } from "../documents.ts";
import { joinTrail } from "../../../work/join/join-trail.ts";
import { dissolveLines, keepLine, keptLines, openLines } from "../../../core/trails/lines/kept-lines.ts";
import { isPartOf } from "../../../core/trails/lines/line.ts";
import { isLineName, trailOfLine } from "../../../core/trails/lines/line-names.ts";
import { pullTrail, type Pulled } from "../pull.ts";
import type { RemoteTrails } from "../remote-trails.ts";
import type { Progress, Store } from "../../../core/store/contract.ts";
import { RUN_TRAIL_PREFIX } from "../../../work/state/run-trail.ts";
import type { Project } from "../../../work/project/project.ts";
import { rememberPull } from "../../../work/project/trust.ts";

export interface PulledTrail {
  readonly trail: string;
  readonly outcome: Pulled["outcome"] | "joined" | "would pull";
  readonly checkpoints: number;
  /** The machine that moved it on the remote, and where it stands there. */
  readonly machine: string | null;
  readonly remote_head: ObjectId | null;
  /** The trail that keeps the remote's line, where both went on. */
  readonly kept: string | null;
}

export interface PullOne extends Progress {
  readonly store: Store;
  readonly trails: RemoteTrails;
  readonly remoteName: string;
  readonly trail: string;
  readonly head?: RemoteHead | undefined;
  readonly join?: boolean | undefined;
}

/**
 * Brings a trail from a remote. Where both went on, both lines stay, or are joined if that is asked for and possible. Lines
 * that are part of the trail by then end.
 */
export async function pullOne(project: Project, pulling: PullOne): Promise<PulledTrail> {
  const { store, trail, head } = pulling;
  const own = trailOfLine(trail);
  if (head !== undefined && own !== trail && (await isPartOf(store, head.head, await store.head(own)))) {
    await dissolveLines(store, own);
    const { machine, head: remote_head } = head;
    return { trail, outcome: "up to date", checkpoints: 0, machine, remote_head, kept: null };
  }
  const pulled = await pullAndJoin(project, pulling);
  await dissolveLines(store, own);
  return pulled;
}

async function pullAndJoin(project: Project, pulling: PullOne): Promise<PulledTrail> {
  const { store, trails, remoteName, trail, head, onProgress } = pulling;
  const kept = (await keptLines(store, trailOfLine(trail))).map(({ name }) => name);
  // Marked before it moves: killed in between, what another machine did would pass for a run of this one.
  const beforeMove = () => markPulled(project, trail);
  const options = { remoteName, kept, head, onProgress, beforeMove };
  const { outcome, checkpoints, remote, other } = await pullTrail(store, trails, trail, options);
  const answer = {
    trail,
    outcome,
    checkpoints,
    machine: remote?.machine ?? null,
    remote_head: remote?.head ?? null,
    kept: null,
  };
  if (other === undefined || remote === undefined) return answer;
  const line = await keepLine(store, trail, other);
  if (!pulling.join || !isJoinable(trail)) return { ...answer, kept: line };
  const { head: theirs } = remote;
  await joinTrail(store, { ...notesOf(project), trail, kept: line, theirs, onto: "theirs" });
  return { ...answer, outcome: "joined" };
}

/**
 * Joins the lines that are still beside a trail, as those of a machine that is gone: nobody else will. A line that is named
 * itself is the only one.
 */
export async function joinLeftLines(
  project: Project,
  store: Store,
  trail: string,
): Promise<{ readonly joined: readonly PulledTrail[]; readonly failed: readonly FailedTrail[] }> {
  const own = trailOfLine(trail);
  const joined: PulledTrail[] = [];
  const failed: FailedTrail[] = [];
  if (!isJoinable(own) || (await store.head(own)) === undefined) return { joined, failed };
  for (const kept of await openLines(store, own)) {
    const theirs = await store.head(kept);
    if (theirs === undefined || (isLineName(trail) && kept !== trail)) continue;
    try {
      await joinTrail(store, { ...notesOf(project), trail: own, kept, theirs, onto: "ours" });
      const machine = kept.slice(kept.indexOf("@") + 1);
      joined.push({ trail: own, outcome: "joined", checkpoints: 0, machine, remote_head: null, kept: null });
    } catch (error) {
      failed.push(failedTrail(kept, error));
    }
  }
  await dissolveLines(store, own);
  return { joined, failed };
}

const notesOf = ({ actor: { agentId, tier, session }, now }: Project) => ({
  agent_id: agentId,
  agent_tier: tier,
  session_id: session?.id,
  now: now(),
});

/** A trail that could not be brought or joined; the others were. */
export interface FailedTrail {
  readonly trail: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | null;
}

/** What stands in the way of one trail; anything else stands in the way of all, and is thrown. */
export function failedTrail(trail: string, error: unknown): FailedTrail {
  if (!isCheckpointError(error)) throw error;
  const { code, message, hint = null } = error;
  // No machine pushes a trail whose name is invalid or reserved.
  if (code === "usage") return { trail, code: "corrupt", message, hint };
  if (code === "corrupt" || code === "conflict") return { trail, code, message, hint };
  throw error;
}

/** A run that went on twice did things twice, and a transcript has one writer: neither can be joined. */
const isJoinable = (trail: string) => !/^(?:run|transcript)\//.test(trail) && !isLineName(trail);

/** A run of another machine is only to be looked at, and its commands are shown before they run here. */
async function markPulled(project: Project, trail: string): Promise<void> {
  if (!trail.startsWith(RUN_TRAIL_PREFIX)) return;
  const cairn = await project.stores.open(project, "write", "keep.pull");
  await rememberPull({ ...project, cairn }, trail.slice(RUN_TRAIL_PREFIX.length));
}
