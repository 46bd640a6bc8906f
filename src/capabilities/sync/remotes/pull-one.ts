import { isCheckpointError, type ErrorCode } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { RemoteHead } from "../documents.ts";
import { joinTrail } from "../../../work/join/join-trail.ts";
import { dissolveLines, keepLine, keptLines, openLines } from "../../../core/trails/lines/kept-lines.ts";
import { isPartOf } from "../../../core/trails/lines/line.ts";
import { isLineName, trailOfLine } from "../../../core/trails/lines/line-names.ts";
import { pullTrail, type Pulled } from "../pull.ts";
import type { Progress, Store } from "../../../core/store/contract.ts";
import { RUN_TRAIL_PREFIX } from "../../../work/state/run-trail.ts";
import type { Project } from "../../../work/project/project.ts";
import { rememberPull } from "../../../work/project/trust.ts";
import type { RemoteLink } from "./connect.ts";

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

export function pulledTrail(
  trail: string,
  outcome: PulledTrail["outcome"],
  remote?: Pick<RemoteHead, "head" | "machine">,
): PulledTrail {
  const [machine, remote_head] = [remote?.machine ?? null, remote?.head ?? null];
  return { trail, outcome, checkpoints: 0, machine, remote_head, kept: null };
}

export interface PullOneOptions extends Progress {
  /** The remote's head as it was read a moment ago. */
  readonly head?: RemoteHead | undefined;
  readonly join?: boolean | undefined;
}

/**
 * Brings a trail from a remote. Where both went on, both lines stay, or are joined if that is asked for and possible. Lines
 * that are part of the trail by then end.
 */
export async function pullOne(
  link: RemoteLink,
  trail: string,
  options: PullOneOptions = {},
): Promise<PulledTrail> {
  const { store } = link;
  const { head } = options;
  const own = trailOfLine(trail);
  const isHeld = head && own !== trail && (await isPartOf(store, head.head, await store.head(own)));
  const pulled = isHeld ? pulledTrail(trail, "up to date", head) : await bring(link, trail, options);
  await dissolveLines(store, own);
  return pulled;
}

async function bring(
  { project, store, known, trails }: RemoteLink,
  trail: string,
  { head, join = false, onProgress }: PullOneOptions,
): Promise<PulledTrail> {
  const kept = (await keptLines(store, trailOfLine(trail))).map(({ name }) => name);
  // Marked before it moves: killed in between, what another machine did would pass for a run of this one.
  const beforeMove = () => markPulled(project, trail);
  const pulling = { remoteName: known.name, kept, head, onProgress, beforeMove };
  const { outcome, checkpoints, remote, other } = await pullTrail(store, trails, trail, pulling);
  const answer = { ...pulledTrail(trail, outcome, remote), checkpoints };
  if (other === undefined) return answer;
  const line = await keepLine(store, trail, other);
  if (!join || !isJoinable(trail)) return { ...answer, kept: line };
  const theirs = other.last.checkpoint.id;
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
      joined.push({ ...pulledTrail(own, "joined"), machine: kept.slice(kept.indexOf("@") + 1) });
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
