import type { WorkflowContext } from "../context.ts";
import type { Inbox } from "./inbox.ts";
import type { RunJournal } from "./run-journal.ts";

/** How often a runner looks for what other processes did to its run. */
const LOOK_MS = 250;

interface Waiting<News> {
  readonly context: Pick<WorkflowContext, "now">;
  readonly inbox: Inbox<News>;
  readonly journal: RunJournal;
  readonly signal: AbortSignal | undefined;
  /** For a retry, or for a step that gives up. */
  readonly wakeAt: number | undefined;
}

/** Until there is an outcome, an answer or an alarm, or another process has changed the run. Whether it was that. */
export async function waitForNews<News>({
  context,
  inbox,
  journal,
  signal,
  wakeAt,
}: Waiting<News>): Promise<boolean> {
  for (;;) {
    const untilAlarm = wakeAt === undefined ? LOOK_MS : Math.max(0, wakeAt - context.now().getTime());
    await inbox.wait(Math.min(LOOK_MS, untilAlarm), signal);
    const isDue = wakeAt !== undefined && context.now().getTime() >= wakeAt;
    if (inbox.size > 0 || isDue || signal?.aborted) return false;
    if (await journal.reload()) return true;
  }
}
