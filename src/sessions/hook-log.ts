import { appendFileSync, lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../capture/read-bounded.ts";
import { oneLine } from "../handoff/visible.ts";

/** What became of an event. */
type Outcome = "saved" | "unchanged" | "ignored" | "failed";

/** Events that were seen, by what became of them: a handful of kilobytes beside the store, never more than two files of this. */
const FILE = "hooks.log";
const LARGEST_BYTES = 256 * 1024;
const LONGEST_LINE = 400;

export interface LogEntry {
  readonly at: Date;
  readonly client: string;
  readonly event: string;
  readonly outcome: Outcome;
  /** The trail, or why it came to nothing. */
  readonly what: string;
}

/** Notes an event in the project's log. Where nothing was ever saved there is no log either. Never throws. */
export function noteEvent(root: string, { at, client, event, outcome, what }: LogEntry): void {
  const folder = join(root, ".cairn");
  const path = join(folder, FILE);
  const words = [at.toISOString(), outcome, client, event, what].map((word) =>
    oneLine(word.slice(0, LONGEST_LINE)),
  );
  try {
    // A link could lead anywhere.
    if (!lstatSync(folder).isDirectory()) return;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) return;
    if ((found?.size ?? 0) > LARGEST_BYTES) renameSync(path, `${path}.old`);
    appendFileSync(path, `${words.join(" ").slice(0, LONGEST_LINE)}\n`, { mode: 0o600 });
  } catch {
    // The log is a convenience; the agent must not notice that it cannot be written.
  }
}

/** How many events the log knows of, and how many failed since one was saved. */
export interface EventCounts {
  readonly seen: number;
  readonly saved: number;
  readonly failed: number;
  readonly lastFailure?: string | undefined;
}

/** Counts the events of a project's log; undefined when there is none. */
export function countEvents(root: string): EventCounts | undefined {
  const { bytes } = readBounded(join(root, ".cairn", FILE), 2 * LARGEST_BYTES);
  if (bytes === undefined) return undefined;
  const events = bytes
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(" "));
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
