import { join } from "node:path";
import type { WorkflowContext } from "../src/capabilities/workflow/context.ts";
import type { WorkflowSource } from "../src/capabilities/workflow/definition/types.ts";
import { openCairn } from "./library.ts";
import { defineWorkflow, startRun } from "./workflow-library.ts";

/** How many steps a long run has. */
export const LONG_RUN = 1000;

export type OnEvent = (event: { readonly type: string }) => void;
type StepRun = NonNullable<WorkflowSource["steps"][number]["run"]>;
type Flow = ReturnType<typeof chain>;

export function chain(name: string, count: number, run: StepRun = trivial) {
  return defineWorkflow({ name, steps: many(count, run) });
}

const trivial: StepRun = () => null;
const many = (count: number, run: StepRun = trivial) =>
  Array.from({ length: count }, (_, at) => ({ id: `s${at}`, run }));

export async function openProject(root: string): Promise<WorkflowContext> {
  const folder = join(root, ".cairn");
  return {
    cairn: await openCairn({ path: folder }),
    root,
    folder,
    env: process.env,
    now: () => new Date(),
    pid: process.pid,
    host: "bench",
    kill: (pid, signal) => void process.kill(pid, signal),
  };
}

/** Microseconds for a step on average. */
export async function eachStep(project: WorkflowContext, flow: Flow, runId: string): Promise<number> {
  const times = await intervals(project, flow, runId);
  return times.reduce((sum, interval) => sum + interval, 0) / times.length;
}

/** Microseconds from each step to the next. Making the run and tidying up after it is not a step's. */
export async function intervals(project: WorkflowContext, flow: Flow, runId: string): Promise<number[]> {
  const starts: number[] = [];
  const onEvent: OnEvent = ({ type }) => {
    if (type === "step-started") starts.push(performance.now());
  };
  await finish(project, flow, { runId, onEvent });
  return starts.slice(1).map((at, index) => (at - starts[index]!) * 1000);
}

export async function finish(
  project: WorkflowContext,
  flow: Flow,
  options: { readonly runId: string; readonly onEvent?: OnEvent },
): Promise<void> {
  const { status } = await startRun(project, flow, options);
  if (status !== "completed") throw new Error(`${options.runId} ended as ${status}.`);
}

const ask = { id: "ask", approve: "Go on?" };

/** Everything is done but the last step, which waits for a decision. */
export function ending() {
  return defineWorkflow({ name: "long", steps: [...many(LONG_RUN - 2), ask, { id: "last", run: trivial }] });
}

/** One step, then a question: the run ends by itself once it has begun. */
export function beginning() {
  const [first, ...others] = many(LONG_RUN - 1);
  return defineWorkflow({ name: "fresh", steps: [first!, ask, ...others] });
}
