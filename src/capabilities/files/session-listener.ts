import { MOST_FILES_TOUCHED } from "../../work/state/work-state.ts";
import { CLIENTS } from "../../work/clients/clients.ts";
import type { SessionListener } from "../../work/project/events/listeners.ts";
import { lentStore } from "../../work/project/events/lent-store.ts";
import type { Project } from "../../work/project/project.ts";
import { maySet, readSettings } from "../../work/project/settings/settings.ts";
import { rawCalls } from "../../work/sessions/events/read-calls.ts";
import type { HookEvent } from "../../work/sessions/events/hook-event.ts";
import { sessionTrail } from "../../work/sessions/session.ts";
import type { SnapshotWhy } from "./snapshot/snapshots.ts";
import { type SnapshotOccasion, takeSnapshot } from "./snapshot/take-snapshot.ts";
import { type TreeLimits, withTree } from "./tree/hold-tree.ts";

/** How long a destructive command waits for the look before it. */
const MOST_WAITED_MS = 500;

/** A client that waits for the hook's process ends it after ten seconds. */
const WAITED_FOR: TreeLimits = { patienceMs: 1000, lookMs: 4000 };

const WHY: Readonly<Partial<Record<HookEvent["moment"], SnapshotWhy>>> = {
  prompt: "prompt",
  stop: "turn-end",
  failure: "turn-end",
  end: "turn-end",
  "before-compaction": "before-compaction",
};

/** Keeps the files as events of sessions find them. */
export const sessionListener: SessionListener = {
  after: async (project, hook, { isServed }) => {
    if (!(await isOn(project))) return;
    const { moment, sessionId: id } = hook;
    const isInside = hook.agentId !== undefined;
    const begins = moment === "prompt" && !isInside;
    const ends = ["stop", "failure", "end"].includes(moment) && !isInside;
    // A session that only starts, or ends between turns, is in no turn: what changed is booked to others.
    const turn = begins ? "begins" : ends ? "ends" : moment === "start" ? undefined : "goes on";
    const client = CLIENTS[hook.client].id;
    const tools = moment === "tools" ? [...new Set(rawCalls(hook).map(({ tool }) => tool))] : [];
    const occasion = { why: WHY[moment] ?? "tools", tools, trail: sessionTrail(id), isMoment: begins };
    await inOrder(project, { ...occasion, session: { id, client, turn } }, isServed ? {} : WAITED_FOR);
  },
  before: async (project, { sessionId: id, client, tool }) => {
    if (!(await isOn(project))) return;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MOST_WAITED_MS);
    const occasion: SnapshotOccasion = {
      why: "before-command",
      tools: [tool],
      trail: sessionTrail(id),
      session: { id, client: CLIENTS[client].id, turn: "goes on" },
    };
    await Promise.race([inOrder(project, occasion).catch(() => {}), late]);
    clearTimeout(timer);
  },
};

/** Whether the project's files are to be kept. */
export async function isOn(project: Project): Promise<boolean> {
  if (!maySet("files", project, project.root)) return true;
  return (await readSettings(project, project.root)).files !== false;
}

/** Looks that wait, by project: events come faster than looks are done, and each is booked to its own. */
const underway = new Map<string, Promise<unknown>>();

async function inOrder(project: Project, occasion: SnapshotOccasion, limits?: TreeLimits): Promise<void> {
  const before = underway.get(project.root);
  const look = (before ?? Promise.resolve()).then(() => keep(project, occasion, limits));
  const settled = look.catch(() => {});
  underway.set(project.root, settled);
  await look.finally(() => {
    if (underway.get(project.root) === settled) underway.delete(project.root);
  });
}

async function keep(project: Project, occasion: SnapshotOccasion, limits?: TreeLimits): Promise<void> {
  const { changed, files } = await withTree(project, (tree) => takeSnapshot(tree, occasion), limits);
  const touched = changed.filter((path) => files.has(path));
  if (touched.length > 0) await noteTouched(project, occasion, touched);
}

/** What the disk says goes into the session's record, whatever its tools claimed. */
async function noteTouched(
  project: Project,
  { session, trail }: SnapshotOccasion,
  touched: readonly string[],
): Promise<void> {
  if (session?.turn !== "goes on" && session?.turn !== "ends") return;
  const cairn = await project.stores.open(project, "write", "session.capture");
  if (trail === undefined || (await cairn.store.head(trail)) === undefined) return;
  await lentStore(cairn).commit({
    trail: cairn.trail(trail),
    change: (draft) => {
      const all = new Set([...draft.files_touched, ...touched]);
      draft.files_touched = [...all].slice(-MOST_FILES_TOUCHED);
    },
    options: { trigger: "hook:files", session_id: session.id, agent_id: session.client, ifChanged: true },
    beginsTurn: false,
  });
}
