import type { WorkState } from "../../checkpoints/work-state.ts";
import { isCheckpointError } from "../../errors.ts";
import { asList, textOf } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { incompleteProgress } from "../../workflow/progress/scan-progress.ts";
import { PHASES } from "../../workflow/progress/words.ts";
import { findRuns, type RunSummary } from "../../workflow/runner/find-runs.ts";
import type { Output } from "../output.ts";
import { shellWord } from "../shell-word.ts";
import { isOver } from "../view/tasks.ts";

/** Something that was begun and is not done: a run, the work of an agent or a person, or a progress file. */
export interface Unfinished {
  readonly kind: "run" | "trail" | "progress";
  /** The run, the trail, or the file. */
  readonly name: string;
  readonly status: string;
  /** What was being done. */
  readonly doing: string;
  /** Where it would go on. */
  readonly next: string;
  readonly updated_at: string;
  readonly completed: number;
  readonly total: number;
  readonly percent: number;
  /** How to go on with it. */
  readonly command: string;
}

/** Trails that are told of otherwise, or hold no work of their own: sub-agents' belong to their session. */
const OTHER_TRAILS = /^(?:run|progress|thread|transcript)\/|\/agent\//;

/** Trails beyond these were not touched for long; `checkpoint list --all` is the place for them. */
const MAX_TRAILS = 20;

/** Everything unfinished, what moved last first. */
export async function findUnfinished(
  { root }: Pick<WorkflowContext, "root">,
  workflows: WorkflowContext | undefined,
  output: Output,
): Promise<Unfinished[]> {
  const runs = workflows === undefined ? [] : await unfinishedRuns(workflows, output);
  const trails = workflows === undefined ? [] : await unfinishedTrails(workflows, output);
  return [...runs, ...trails, ...(await unfinishedFiles(root, output))].toSorted(
    (a, b) => (Date.parse(b.updated_at) || 0) - (Date.parse(a.updated_at) || 0),
  );
}

/** Damaged ones cannot go on, but nobody should believe that there is nothing. */
async function unfinishedRuns(workflows: WorkflowContext, output: Output): Promise<Unfinished[]> {
  const runs = await findRuns(workflows);
  for (const { id, status } of runs) {
    if (status !== "corrupt") continue;
    const name = oneLine(id);
    output.warning(
      `The state of run "${name}" is damaged. To put it aside: checkpoint archive ${name}\n  To start afresh: checkpoint run FILE`,
    );
  }
  return runs.filter(({ can_resume }) => can_resume).map(ofRun);
}

/** What agents say in their progress files. Malformed ones are told of: they may be the very ones. */
async function unfinishedFiles(root: string, output: Output): Promise<Unfinished[]> {
  const { found, problems } = await incompleteProgress({ root });
  for (const { file, line, message, remedy } of problems)
    output.warning(
      `${oneLine(file ?? "?")}${line === undefined ? "" : `:${line}`}: ${oneLine(message)} ${oneLine(remedy)}`,
    );
  return found.map(({ file, progress }): Unfinished => {
    const number = PHASES.indexOf(progress.phase);
    return {
      kind: "progress",
      name: file,
      status: progress.status,
      doing: `${progress.agent}: ${progress.last_action}`,
      next: `the phase ${progress.phase}`,
      updated_at: progress.updated,
      ...share(number, PHASES.length),
      command: `cat ${shellWord(file)}`,
    };
  });
}

/** One that runs needs nothing but patience. */
const COMMANDS: Readonly<Record<string, string>> = { awaiting_approval: "approve", running: "runs show" };

function ofRun({ id, status, next, updated_at, completed, total }: RunSummary): Unfinished {
  const verb = status === "running" ? "running" : status === "awaiting_approval" ? "asking" : "next";
  return {
    kind: "run",
    name: id,
    status,
    doing: next.length === 0 ? "" : `${verb}: ${next.join(", ")}`,
    next: next.join(", "),
    updated_at,
    ...share(completed, total),
    command: `checkpoint ${COMMANDS[status] ?? "resume"} ${id}`,
  };
}

async function unfinishedTrails({ cairn }: WorkflowContext, output: Output): Promise<Unfinished[]> {
  const trails = (await cairn.trails()).filter(({ name }) => !OTHER_TRAILS.test(name));
  const found: Unfinished[] = [];
  for (const { name } of trails.slice(0, MAX_TRAILS)) {
    try {
      const { state, created_at } = await cairn.trail(name).load();
      const unfinished = ofTrail(name, state, created_at);
      if (unfinished !== undefined) found.push(unfinished);
    } catch (error) {
      if (!isCheckpointError(error, "corrupt")) throw error;
      output.warning(`Trail "${oneLine(name)}" cannot be read: ${oneLine(error.message)}`);
    }
  }
  return found;
}

/** Undefined when nothing in it says that there is more to do. */
function ofTrail(name: string, state: Partial<WorkState>, updated_at: string): Unfinished | undefined {
  const tasks = asList(state.tasks).filter((task) => textOf(task, "status") !== "cancelled");
  const open = tasks.filter((task) => !isOver(task));
  const active = open.find((task) => textOf(task, "status") === "in_progress") ?? open[0];
  const phase = textOf(state.phase, "status") === "completed" ? undefined : textOf(state.phase, "name");
  const doing = textOf(active, "subject") ?? textOf(state, "next_action") ?? phase;
  if (doing === undefined) return undefined;
  const status = asList(state.blockers).length > 0 ? "blocked" : "in_progress";
  return {
    kind: "trail",
    name,
    status,
    doing,
    next: doing,
    updated_at,
    ...share(tasks.length - open.length, tasks.length),
    command: `checkpoint summary --trail ${name}`,
  };
}

function share(completed: number, total: number) {
  return { completed, total, percent: total === 0 ? 0 : Math.floor((completed / total) * 100) };
}
