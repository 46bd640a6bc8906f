import { asList, own, textOf } from "../../core/text/untrusted.ts";
import { decodeAll } from "../../core/objects/decode.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import { readCheckpoint } from "../../core/trails/document.ts";
import type { Project } from "../../work/project/project.ts";
import { RUN_TRAIL_PREFIX } from "../../work/state/run-trail.ts";

/** How far back the attempts of a run are read. */
const MOST = 200;

/** One try of a step, as its run recorded it. */
export interface Attempt {
  readonly step: string;
  readonly attempt: number;
  readonly status: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly retry_at: string | null;
  readonly reason: string | null;
}

/** Earlier attempts too, which the newest state of a run has forgotten: its history has them. */
export async function attempts(project: Project, run: string): Promise<Attempt[]> {
  const { store } = await project.stores.open(project, "read", null);
  const found = (await store.history(`${RUN_TRAIL_PREFIX}${run}`, { limit: MOST })).toReversed();
  const roots = found.map(({ id, bytes }) => readCheckpoint(id, bytes).root);
  const states = await decodeAll(roots, (ids: readonly ObjectId[]) => store.readObjects(ids));
  const known = new Map<string, Attempt>();
  for (const state of states)
    for (const each of asList(own(own(state, "run"), "steps"))) {
      const [step, started_at] = [textOf(each, "id"), textOf(each, "started_at")];
      if (step === undefined || started_at === undefined) continue;
      const attempt = Number(own(each, "attempt")) || 1;
      known.set(`${step} ${attempt}`, {
        step,
        attempt,
        status: textOf(each, "status") ?? "unknown",
        started_at,
        ended_at: textOf(each, "ended_at") ?? null,
        retry_at: textOf(each, "retry_at") ?? null,
        reason: textOf(each, "reason") ?? null,
      });
    }
  return [...known.values()];
}
