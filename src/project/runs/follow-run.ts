import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowContext } from "../../workflow/context.ts";
import { runTrail, type Run } from "../../workflow/run/run-state.ts";
import { readRun } from "../../workflow/runner/examine-run.ts";
import { isDriven } from "../../workflow/runner/run-lease.ts";

const LOOK_MS = 150;

/**
 * The states of a run while some other process moves it: the one it has now, and every later one that is noticed. Ends with the
 * last state when no runner is alive any more. What the steps print is not waited for: `tick` is called at every look.
 */
export async function* followRun(
  workflows: WorkflowContext,
  id: string,
  tick: (run: Run) => void = () => {},
): AsyncGenerator<Run> {
  const { store } = workflows.cairn;
  let head = await store.head(runTrail(id));
  let run = await readRun(workflows, id);
  yield run;
  for (;;) {
    // Looked at before the state is: what a runner saves last, it saves before it lets go.
    const isAlive = await isDriven(workflows, run);
    const newest = await store.head(runTrail(id));
    if (newest !== head) {
      head = newest;
      run = await readRun(workflows, id);
      yield run;
    } else if (!isAlive) return tick(run);
    tick(run);
    await delay(LOOK_MS);
  }
}
