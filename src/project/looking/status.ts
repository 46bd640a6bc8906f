import { isTaskOver } from "../../checkpoints/tasks.ts";
import { oneLine } from "../../text/visible.ts";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { newestWhole } from "./newest-whole.ts";
import { chooseTrail, readTrail } from "../choose-trail.ts";
import type { Project } from "../project.ts";
import { asList, textOf } from "../../text/untrusted.ts";
import { waitingRuns } from "../runs/waiting-runs.ts";
import { nextCommands } from "./next-commands.ts";
import { asSeenNow } from "./seen-now.ts";
import type { InputOf } from "../schema-parts.ts";
import type { STATUS } from "./schemas.ts";

export type StatusInput = InputOf<typeof STATUS>;

export type StatusResult = Awaited<ReturnType<typeof status>>["status"];

/** More would crowd out the rest. */
const MOST_RUNS = 3;

/** Where the work stands and how to go on, with the state it was read from. */
export async function status(project: Project, { trail: named }: StatusInput) {
  const { cairn, trail } = await readTrail(project, named);
  const { whole, damaged } = await newestWhole(cairn, trail.name);
  const { state: stored, ...checkpoint } = whole ?? (await trail.load());
  if (damaged) project.notices.warning(damagedHead(damaged));
  const state = await asSeenNow(project, { ...checkpoint, state: stored });
  const runs = await waitingRuns({ cairn, folder: project.folder });
  const isUsual = chooseTrail(project, undefined).name === trail.name;
  const tasks = asList(state.tasks);
  const result = {
    root: project.root,
    trail: trail.name,
    checkpoint,
    damaged_head: damaged?.checkpoint_id ?? null,
    goal: textOf(state, "goal") ?? null,
    phase: state.phase ?? null,
    active_task: tasks.find((task) => textOf(task, "id") === state.active_task_id) ?? null,
    open_tasks: tasks.filter((task) => !isTaskOver(task)),
    blockers: asList(state.blockers),
    approvals_pending: asList(state.approvals_pending),
    next_action: textOf(state, "next_action") ?? null,
    workspace: state.workspace ?? null,
    runs_waiting: runs,
    // What to type next.
    go_on: [
      ...runs.slice(0, MOST_RUNS).map(({ command, why }) => ({ command, why })),
      ...nextCommands(state, isUsual ? "" : ` --trail ${trail.name}`),
    ],
  };
  return { status: result, state };
}

function damagedHead({ checkpoint_id, trail }: CheckpointInfo): string {
  return `The newest checkpoint of ${oneLine(trail)}, ${checkpoint_id}, is damaged; this is the newest one that is whole.\nTo go on from it: checkpoint verify --repair`;
}
