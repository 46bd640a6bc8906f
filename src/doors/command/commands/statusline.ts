import { readAt } from "../../../core/trails/diff/read-at.ts";
import { findHead } from "../../../core/trails/find-checkpoint.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { ago } from "../../../core/text/time.ts";
import { asList, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { isTaskOver } from "../../../work/state/tasks.ts";
import { RUN_TRAIL_PREFIX } from "../../../work/state/run-trail.ts";
import { count } from "../../../work/state/words.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { findPart } from "../../../work/project/capability.ts";
import { PROJECT_TRAIL, sessionTrail } from "../../../work/sessions/session.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { CommandOf } from "../command.ts";

/** What a client sends is small; one that sends nothing is not waited for. */
const EVENT_BYTES = 64 * 1024;
const WAIT_MS = 200;

/** One line that a client shows all the time. Never fails: there is nowhere to say why. */
export const statusline: CommandOf<"statusline"> = async (context, _options, output) => {
  const line = await lineOf(context).catch(() => "cairn: checkpoint doctor");
  output.raw(`${line}\n`);
};

async function lineOf(context: Context): Promise<string> {
  const sent = context.isInteractive ? undefined : await context.readEvent(EVENT_BYTES, WAIT_MS);
  const session = textOf(parseJson(Buffer.from(sent?.bytes ?? []).toString("utf8")), "session_id");
  const { project } = context;
  if (!hasStore(project)) return "cairn: nothing saved yet";
  const cairn = await project.stores.open(project, "read");
  const { store } = cairn;
  const head =
    (session && (await findHead(store, sessionTrail(session)))) || (await findHead(store, PROJECT_TRAIL));
  if (head === undefined) return "cairn: nothing saved yet";
  // Only these parts of the state are read: it may be large, and this is asked all the time.
  const part = async (name: string) =>
    asList(await readAt(head.root, [name], (ids: readonly ObjectId[]) => store.readObjects(ids)));
  const open = (await part("tasks")).filter(
    (task) => !isTaskOver({ status: textOf(task, "status") ?? "" }),
  ).length;
  const hasRuns = (await cairn.trails({ prefix: RUN_TRAIL_PREFIX, limit: 1 })).length > 0;
  const runs = hasRuns ? ((await (await findPart(project, "runs"))?.waiting(project, cairn)) ?? []) : [];
  const waiting = (await part("approvals_pending")).length + runs.length;
  const parts = [
    `saved ${ago(head.info.created_at, context.now())}`,
    open === 0 ? "" : count(open, "open task"),
    waiting === 0 ? "" : `${waiting} waiting for you: checkpoint status`,
  ];
  return `cairn: ${parts.filter((each) => each !== "").join(" · ")}`;
}
