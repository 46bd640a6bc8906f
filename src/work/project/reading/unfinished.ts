import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { findStoredHead } from "../../../core/trails/find-checkpoint.ts";
import { isTaskOver } from "../../state/tasks.ts";
import type { WorkState } from "../../state/work-state.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { unfinishedWork } from "../../sessions/trails/unfinished.ts";
import type { Cairn } from "../../state/cairn.ts";
import { incompleteProgress } from "../../progress/scan-progress.ts";
import { PHASES } from "../../progress/words.ts";
import { damagedRunHint } from "../../state/run-trail.ts";
import { findPart } from "../capability.ts";
import { hasStore } from "../find-project.ts";
import type { Project } from "../project.ts";
import type { UnfinishedRun } from "../runs.ts";
import { shellWord } from "../../../core/text/shell-word.ts";

/** Something unfinished: a run, a trail of work, or a progress file. */
export interface Unfinished {
  readonly kind: "run" | "trail" | "progress";
  /** The run, the trail, or the file. */
  readonly name: string;
  readonly status: string;
  /** What was being done. */
  readonly doing: string;
  /** Where it would continue. */
  readonly next: string;
  readonly updated_at: string;
  readonly completed: number;
  readonly total: number;
  readonly percent: number;
  /** How to continue it. */
  readonly command: string;
}

/** Everything unfinished, what moved last first. */
export async function unfinished(project: Project): Promise<Unfinished[]> {
  const found = hasStore(project) ? await inStore(project) : [];
  return [...found, ...(await unfinishedFiles(project))].toSorted(
    (a, b) => (Date.parse(b.updated_at) || 0) - (Date.parse(a.updated_at) || 0),
  );
}

async function inStore(project: Project): Promise<Unfinished[]> {
  const cairn = await project.stores.open(project, "read");
  return [...(await unfinishedRuns(project)), ...(await unfinishedTrails(cairn))];
}

/** A damaged run cannot go on, but it must not go unnoticed either. */
async function unfinishedRuns(project: Project): Promise<Unfinished[]> {
  const { notices } = project;
  const runs = (await (await findPart(project, "runs"))?.unfinished(project)) ?? [];
  for (const { id, status } of runs) {
    if (status !== "corrupt") continue;
    const name = oneLine(id);
    notices.warning(
      `The state of run "${name}" is damaged.\n${damagedRunHint(name)}\nTo start afresh: checkpoint run FILE`.replaceAll(
        "\n",
        "\n  ",
      ),
    );
  }
  return runs.filter(({ status }) => status !== "corrupt").map(ofRun);
}

/** Progress files that agents keep. Malformed ones are reported: they may be the ones that matter. */
async function unfinishedFiles({ root, notices }: Project): Promise<Unfinished[]> {
  const { found, problems } = await incompleteProgress({ root });
  for (const { file, line, message, remedy } of problems)
    notices.warning(
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

function ofRun(run: UnfinishedRun): Unfinished {
  const { id, status, next, updated_at, completed, total, command } = run;
  const verb = status === "running" ? "running" : status === "awaiting_approval" ? "asking" : "next";
  return {
    kind: "run",
    name: id,
    status,
    doing: next.length === 0 ? "" : `${verb}: ${next.join(", ")}`,
    next: next.join(", "),
    updated_at,
    ...share(completed, total),
    command,
  };
}

async function unfinishedTrails(cairn: Cairn): Promise<Unfinished[]> {
  const found: Unfinished[] = [];
  const damaged: string[] = [];
  const work = unfinishedWork(cairn, (trail) => damaged.push(trail));
  for await (const { trail, state, created_at } of work) found.push(ofTrail(trail, state, created_at));
  for (const trail of damaged) found.push(ofDamaged(trail, await findStoredHead(cairn.store, trail)));
  return found;
}

/** Nobody knows whether there is work on it; nothing can be saved on it either way. */
function ofDamaged(name: string, head: CheckpointInfo | undefined): Unfinished {
  return {
    kind: "trail",
    name,
    status: "corrupt",
    doing: `its newest checkpoint${head === undefined ? "" : `, ${head.checkpoint_id},`} is damaged`,
    next: "the newest intact checkpoint",
    updated_at: head?.created_at ?? new Date(0).toISOString(),
    ...share(0, 0),
    command: "checkpoint verify --repair",
  };
}

function ofTrail(
  name: string,
  { goal, next_action, phase, blockers, ...state }: WorkState,
  updated_at: string,
): Unfinished {
  const tasks = state.tasks.filter(({ status }) => status !== "cancelled");
  const open = tasks.filter((task) => !isTaskOver(task));
  const active = open.find(({ status }) => status === "in_progress") ?? open[0];
  const phaseNow = phase?.status === "completed" ? undefined : phase?.name;
  const doing = active?.subject ?? next_action ?? phaseNow ?? goal ?? "";
  const status = blockers.length > 0 ? "blocked" : "in_progress";
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
