import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowContext } from "../context.ts";
import { elsewhereOf } from "../elsewhere.ts";
import type { Run } from "../run/run-state.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { readRun } from "../runner/examine-run.ts";
import { isDriven } from "../runner/run-lease.ts";
import type { Project } from "../../../work/project/project.ts";

const LOOK_MS = 150;

/**
 * The states of a run while some other process moves it: the one it has now, and every later one that is noticed. Ends with the
 * last state when no runner is alive any more. What the steps print is not waited for: `tick` is called at every look.
 */
export async function* followRun(
  project: Project,
  workflows: WorkflowContext,
  id: string,
  tick: (run: Run) => void = () => {},
): AsyncGenerator<Run> {
  const { store } = workflows.cairn;
  const trail = runTrail(id);
  let head: string | undefined = await store.head(trail);
  let run = await readRun(workflows, id);
  yield run;
  const elsewhere = run.runs_on === "workers" ? await elsewhereOf(project) : undefined;
  const over = new AbortController();
  const nextHead = () => elsewhere?.nextHead(trail, head, over.signal);
  try {
    for (let next = nextHead(); ;) {
      // Looked at before the state is: what a runner saves last, it saves before it lets go.
      const isAlive = await isDriven(workflows, run);
      const newest =
        next && isAlive ? await Promise.race([next, delay(LOOK_MS, head)]) : await store.head(trail);
      if (newest !== head) {
        head = newest;
        next = nextHead();
        run = await readRun(workflows, id);
        yield run;
      } else if (!isAlive) return tick(run);
      tick(run);
      if (!next) await delay(LOOK_MS);
    }
  } finally {
    over.abort();
  }
}
