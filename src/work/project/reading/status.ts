import { isTaskOver } from "../../state/tasks.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { Store } from "../../../core/store/contract.ts";
import { newestWhole } from "./newest-whole.ts";
import { chooseTrail, readTrail } from "../choose-trail.ts";
import { findPart } from "../capability.ts";
import { hasMirrors } from "../mirrors.ts";
import type { Project } from "../project.ts";
import { nextCommands } from "./next-commands.ts";
import { sessionsBeside } from "./sessions-beside.ts";
import { asSeenNow } from "./seen-now.ts";
import { damagedRunHint, RUN_TRAIL_PREFIX } from "../../state/run-trail.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { READING } from "./verbs.ts";

export type StatusResult = Awaited<ReturnType<typeof status>>["status"];

/** More would crowd out the rest. */
const MOST_RUNS = 3;

/** Where the work stands and how to go on, with the state it was read from. */
export async function status(project: Project, { trail: named }: InputOf<(typeof READING)["status"]>) {
  const { cairn, trail } = await readTrail(project, named);
  const { whole, isHead, damaged } = await newestWhole(cairn, trail.name);
  const { state: stored, ...checkpoint } = whole ?? (await trail.load());
  const damagedHead = isHead
    ? null
    : (damaged?.checkpoint_id ?? (await cairn.store.head(trail.name)) ?? null);
  if (damagedHead !== null) project.notices.warning(notTheHead(trail.name, damagedHead));
  await tellOfOtherLines(project, cairn.store, trail.name);
  await tellOfLostStore(project);
  const notes = await findPart(project, "statusNotes");
  for (const note of (await notes?.(project)) ?? []) project.notices.message(note);
  const state = await asSeenNow(project, { ...checkpoint, state: stored });
  const runs = (await (await findPart(project, "runs"))?.waiting(project, cairn)) ?? [];
  const isUsual = chooseTrail(project, undefined).name === trail.name;
  const { tasks, goal = null, phase = null, blockers, approvals_pending } = state;
  const { next_action = null, workspace = null } = state;
  const result = {
    root: project.root,
    trail: trail.name,
    checkpoint,
    damaged_head: damagedHead,
    goal,
    phase,
    active_task: tasks.find(({ id }) => id === state.active_task_id) ?? null,
    open_tasks: tasks.filter((task) => !isTaskOver(task)),
    blockers,
    approvals_pending,
    next_action,
    workspace,
    runs_waiting: runs,
    sessions: await sessionsBeside(project, cairn, checkpoint),
    // What to type next.
    go_on: [
      ...runs.slice(0, MOST_RUNS).map(({ command, why }) => ({ command, why })),
      ...(damagedHead === null
        ? nextCommands(state, isUsual ? "" : ` --trail ${trail.name}`)
        : [repairOf(trail.name)]),
    ],
  };
  return { status: result, state };
}

/** Nothing else works on a trail whose head is damaged. A run is not put back: what it did since could be done twice. */
function repairOf(trail: string): { command: string; why: string } {
  return trail.startsWith(RUN_TRAIL_PREFIX)
    ? {
        command: `checkpoint archive ${trail.slice(RUN_TRAIL_PREFIX.length)}`,
        why: "put the damaged run aside",
      }
    : { command: "checkpoint verify --repair", why: "continue from the newest intact checkpoint" };
}

/** A trail that went on in two places is two lines until somebody joins them. */
async function tellOfOtherLines(project: Project, store: Store, trail: string): Promise<void> {
  // Trails of this kind are rare, and what compares them is loaded for them alone.
  if ((await store.trails({ prefix: `${trail}@` })).length === 0) return;
  const { openLines } = await import("../../../core/trails/lines/kept-lines.ts");
  for (const line of await openLines(store, trail))
    project.notices.warning(
      `${oneLine(trail)} continued in two places: the other line is ${oneLine(line)}.\nTo join them: checkpoint pull --join --trail ${oneLine(trail)}`,
    );
}

/** A hook may have made a new store before anybody saw that the old one was gone. */
async function tellOfLostStore(project: Project): Promise<void> {
  if (!hasMirrors(project)) return;
  // One that cannot be read is shown by doctor.
  const mirror = await (await findPart(project, "mirrors"))?.unrestored(project).catch(() => undefined);
  if (mirror !== undefined)
    project.notices.warning(
      `An earlier store of this project is gone, but its mirror is there (${mirror.at.toISOString()}).\nTo bring it in: checkpoint mirror restore`,
    );
}

function notTheHead(trail: string, id: string): string {
  const name = oneLine(trail);
  const remedy = name.startsWith(RUN_TRAIL_PREFIX)
    ? damagedRunHint(name.slice(RUN_TRAIL_PREFIX.length))
    : "To continue from it: checkpoint verify --repair";
  return `The newest checkpoint of ${name}, ${id}, is damaged; this is the newest intact one.\n${remedy}`;
}
