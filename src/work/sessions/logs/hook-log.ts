import { join } from "node:path";
import { oneLine } from "../../../core/text/visible.ts";
import { appendLine, type ProjectLog, readLines } from "../../machine/project-log.ts";

const LOG: ProjectLog = { file: "hooks.log", largestBytes: 256 * 1024 };
const LONGEST_LINE = 400;

export interface HookLogEntry {
  readonly at: Date;
  readonly client: string;
  readonly event: string;
  readonly outcome: "saved" | "unchanged" | "ignored" | "spooled" | "failed";
  /** The trail, or why nothing was saved. */
  readonly what: string;
}

/** Notes an event in the project's log. Never throws. */
export function noteEvent(root: string, { at, client, event, outcome, what }: HookLogEntry): void {
  const line = [at.toISOString(), outcome, client, event, oneLine(what.slice(0, LONGEST_LINE))].join(" ");
  appendLine(join(root, ".cairn"), LOG, line.slice(0, LONGEST_LINE));
}

/** The clients whose events came since then, and were not lost. */
export function clientsSeenSince(root: string, since: Date): ReadonlySet<string> {
  const isSeen = ([at = "", outcome = ""]: readonly string[]) =>
    Date.parse(at) >= since.getTime() && !["ignored", "failed"].includes(outcome);
  return new Set((eventsIn(root) ?? []).filter(isSeen).flatMap(([, , client]) => client ?? []));
}

function eventsIn(root: string): string[][] | undefined {
  return readLines(join(root, ".cairn"), LOG)?.map((line) => line.split(" "));
}

/** Counts the events of a project's log, and those that failed since the last one that was saved; undefined if there is none. */
export function countEvents(
  root: string,
): { seen: number; saved: number; failed: number; lastFailure: string | undefined } | undefined {
  const events = eventsIn(root);
  if (events === undefined) return undefined;
  const isSaved = ([, outcome]: readonly string[]) => outcome === "saved";
  const since = events.slice(events.findLastIndex(isSaved) + 1);
  const failures = since.filter(([, outcome]) => outcome === "failed");
  return {
    seen: events.length,
    saved: events.filter(isSaved).length,
    failed: failures.length,
    lastFailure: failures.at(-1)?.slice(4).join(" "),
  };
}
