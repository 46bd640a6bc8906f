import { isCheckpointError } from "../../core/errors.ts";
import { asList, own, textOf } from "../../core/text/untrusted.ts";
import { openFeed } from "../../work/project/feed/feed.ts";
import type { FeedEvent } from "../../work/project/feed/feed-event.ts";
import type { Project } from "../../work/project/project.ts";
import { keyLines, shownLines } from "../../work/sessions/activity/key-lines.ts";
import type { Cairn } from "../../work/state/cairn.ts";
import { readWorkState, type WorkState } from "../../work/state/work-state.ts";
import { type BugBook, emptyBook, noteWork, type SeenWork } from "./book.ts";
import { openOwnTrail } from "./own-trail.ts";

export interface BugWatch {
  /** Go on until `signal` says stop. */
  readonly follow?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told whenever the list was saved. */
  readonly onBook?: ((book: BugBook) => void) | undefined;
}

/** How many events may be noted before the list is saved. */
const MOST_UNSAVED = 200;
const MOST_LINES = 6;

/**
 * Reads what happened since the list was saved last, and saves it. The list and the cursor of what it was made from are one
 * commit: a watcher that is killed misses nothing and counts nothing twice, and of two at once one begins again.
 */
export async function watchBugs(project: Project, options: BugWatch = {}): Promise<BugBook> {
  for (;;) {
    try {
      return await watchOnce(project, options);
    } catch (error) {
      if (!isCheckpointError(error, "conflict")) throw error;
    }
  }
}

async function watchOnce(project: Project, { follow, signal, onBook }: BugWatch): Promise<BugBook> {
  const cairn = await project.stores.open(project, "write", "keep.bugs");
  const { trail, state: book } = await openBook(cairn);
  let unsaved = 0;
  const save = async () => {
    if (unsaved === 0) return;
    unsaved = 0;
    await trail.commit(book, { trigger: "bugs" });
    onBook?.(book);
  };
  const after = book.cursor ?? undefined;
  for await (const event of await openFeed(project, { after, kinds: ["commit", "run"], follow, signal })) {
    const isNew = await note(book, event, cairn);
    book.cursor = event.cursor;
    if (isNew || unsaved > 0) unsaved++;
    if (unsaved >= MOST_UNSAVED || (follow === true && isNew)) await save();
  }
  await save();
  return book;
}

/** The list. It is derived, but for what people resolved. */
export const openBook = (cairn: Cairn) => openOwnTrail(cairn, "watch/bugs", emptyBook());

async function note(book: BugBook, event: FeedEvent, cairn: Cairn): Promise<boolean> {
  if (event.kind === "run") {
    const results = resultsOfStep(event);
    const trail = `run/${event.run}`;
    return noteWork(book, { trail, agent: "workflow", results, edits: [], commits: [] });
  }
  if (event.kind !== "commit" || event.trail?.startsWith("session/") !== true) return false;
  // One that was pruned or damaged since tells nothing; the one after it does.
  const loaded = await cairn.trail(event.trail).load(event.checkpoint.checkpoint_id).catch(undefinedIfGone);
  const work = loaded && workOf(event.trail, loaded.state, loaded.agent_id ?? null);
  return work !== undefined && noteWork(book, work);
}

/** A store that cannot be read at the moment must not move the cursor past what it holds. */
function undefinedIfGone(error: unknown): undefined {
  if (!isCheckpointError(error, "not-found") && !isCheckpointError(error, "corrupt")) throw error;
}

function workOf(trail: string, state: WorkState, agent: string | null): SeenWork | undefined {
  const { activity, session } = readWorkState(state);
  if (activity === undefined) return undefined;
  const { results, edits, commits = [] } = activity;
  return { trail, agent: agent ?? session?.client ?? "unknown", results, edits, commits };
}

/** What the name of a run has after that of its workflow, unless a person named it. */
const RUN_TIME = /-\d{8}-\d{6}-[0-9a-f]{4}$/;

/** How a step ended, and the checks that it tells of in its result. */
function resultsOfStep({ type, details, at, run }: Extract<FeedEvent, { kind: "run" }>): SeenWork["results"] {
  const result = (command: string, ok: boolean, output = "") => {
    return { command, check: command, ok, at, lines: keyLines(shownLines(output), MOST_LINES) };
  };
  const step = `step ${textOf(details, "step") ?? "?"} of ${run.replace(RUN_TIME, "")}`;
  if (type === "step-failed") return [result(step, false, textOf(details, "reason"))];
  if (type !== "step-completed") return [];
  const checks = asList(own(own(details, "result"), "checks")).flatMap((each) => {
    const [command, ok] = [textOf(each, "command"), own(each, "ok")];
    return command !== undefined && typeof ok === "boolean"
      ? result(command, ok, textOf(each, "output"))
      : [];
  });
  return [result(step, true), ...checks];
}
