import type { ObjectId } from "../../objects/object-id.ts";
import type { RemoteHead } from "../../remote/documents.ts";
import { joinTrail } from "../../checkpoints/lines/join-trail.ts";
import { dissolveLines, keepLine, keptLines } from "../../checkpoints/lines/kept-lines.ts";
import { isPartOf } from "../../checkpoints/lines/line.ts";
import { isLineName, trailOfLine } from "../../checkpoints/lines/line-names.ts";
import { pullTrail, type Pulled } from "../../remote/pull.ts";
import type { RemoteTrails } from "../../remote/remote-trails.ts";
import type { Progress, Store } from "../../store/contract.ts";
import { RUN_TRAIL_PREFIX } from "../../workflow/run/run-state.ts";
import type { Project } from "../project.ts";
import { rememberPull } from "../trust.ts";

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
  const pulled = await pullTrail(store, trails, trail, { remoteName, kept, head, onProgress });
  const { outcome, checkpoints, remote, other } = pulled;
  if (outcome === "new") await markPulled(project, trail);
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
  const { agentId: agent_id, tier: agent_tier, session } = project.actor;
  await joinTrail(store, {
    trail,
    kept: line,
    theirs: remote.head,
    now: project.now(),
    agent_id,
    agent_tier,
    session_id: session?.id,
  });
  return { ...answer, outcome: "joined" };
}

/** A run that went on twice did things twice, and a transcript has one writer: neither can be joined. */
const isJoinable = (trail: string) => !/^(?:run|transcript)\//.test(trail) && !isLineName(trail);

/** A run of another machine is only to be looked at, and its commands are shown before they run here. */
async function markPulled(project: Project, trail: string): Promise<void> {
  if (!trail.startsWith(RUN_TRAIL_PREFIX)) return;
  const cairn = await project.stores.open(project, "write");
  await rememberPull({ ...project, cairn }, trail.slice(RUN_TRAIL_PREFIX.length));
}
