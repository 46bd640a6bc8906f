import type { JsonObject } from "../../core/objects/json.ts";
import { own } from "../../core/text/untrusted.ts";
import type { FeedNews, FeedSource } from "../../work/project/feed/feed-event.ts";
import { RUN_TRAIL_PREFIX } from "../../work/state/run-trail.ts";
import type { RunEvent } from "./run/events.ts";
import { endingOf, eventsBetween, openingOf } from "./run/events-between.ts";
import type { Run } from "./run/run-state.ts";

/** What happened in runs, from what their runners committed. That an attempt was started is known to its runner only. */
export const runNews: FeedSource = {
  kinds: ["run", "approval"],
  reads: (trail) => trail.startsWith(RUN_TRAIL_PREFIX),
  ofCommit(before, after) {
    const run = own(after, "run") as Run | undefined;
    if (run === undefined) return [];
    return newsOf(own(before, "run") as Run | undefined, run).map(toNews);
  },
};

function newsOf(before: Run | undefined, run: Run): RunEvent[] {
  const isNew = before === undefined;
  const began =
    isNew || run.epoch > before.epoch ? [openingOf(isNew ? "run-started" : "run-resumed", run)] : [];
  const left = run.status !== "running" && run.status !== before?.status ? [endingOf(run)] : [];
  return [...began, ...(isNew ? askedFirst(run) : eventsBetween(before, run)), ...left];
}

/** What was done before, in the run that a new one continues, is not told again; a question waits for its own answer. */
const askedFirst = (run: Run): RunEvent[] =>
  eventsBetween({ ...run, steps: [] }, run).filter(({ type }) => type === "approval-asked");

function toNews({ type, run, ...details }: RunEvent): FeedNews {
  const kind = type.startsWith("approval-") ? "approval" : "run";
  return { kind, type, run, details: details as unknown as JsonObject };
}
