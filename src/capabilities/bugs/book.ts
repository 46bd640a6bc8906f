import { covers } from "../../work/sessions/events/covers.ts";
import type { Activity } from "../../work/state/activity.ts";
import { problemsOfResult } from "./problems/problems-of-result.ts";
import type { Problem } from "./problems/problem.ts";
import type { Bug, ChangeBetween } from "./verbs.ts";

/** What the watcher knows: the whole state of its trail. The cursor moves in the commit that holds what came of it. */
export interface BugBook {
  cursor: string | null;
  /** Never given twice. */
  next_number: number;
  bugs: Bug[];
  /** Mistakes of agents, counted. */
  slips: Slip[];
  /** How far the results of each trail were read. */
  read: { [trail: string]: string };
  /** When each check passed last. */
  passed: { [check: string]: string };
}

interface Slip {
  id: string;
  title: string;
  times: number;
  last_seen: string;
}

const MOST_BUGS = 500;
const MOST_SLIPS = 200;
const MOST_CHECKS = 300;
const MOST_NAMES = 20;
const MOST_FILES = 30;

export function emptyBook(): BugBook {
  return { cursor: null, next_number: 1, bugs: [], slips: [], read: {}, passed: {} };
}

/** Commands and how they ended, with what was changed around them. */
export interface SeenWork {
  readonly trail: string;
  readonly agent: string;
  readonly results: Activity["results"];
  readonly edits: readonly { readonly path: string; readonly at: string }[];
  readonly commits: readonly { readonly hash: string; readonly at: string }[];
}

/** Notes what came since the trail was read last. Returns whether anything did: what was noted before changes nothing. */
export function noteWork(book: BugBook, work: SeenWork): boolean {
  const from = book.read[work.trail] ?? "";
  const keyOf = ({ at, command }: SeenWork["results"][number]) => `${at} ${command}`;
  const fresh = work.results
    .filter((each) => keyOf(each) > from)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const last = fresh.at(-1);
  if (last === undefined) return false;
  for (const result of fresh) {
    if (result.ok) notePass(book, result, work);
    else for (const problem of problemsOfResult(result)) noteProblem(book, problem, { ...work, ...result });
  }
  // Moved to the end, so that the trails that were read last are kept.
  const { [work.trail]: _, ...others } = book.read;
  book.read = newest({ ...others, [work.trail]: keyOf(last) }, MOST_BUGS);
  keepWithinBounds(book);
  return true;
}

interface Sighting extends SeenWork {
  readonly at: string;
  readonly command: string;
  readonly check?: string | undefined;
  readonly lines: readonly string[];
}

function noteProblem(book: BugBook, problem: Problem, seen: Sighting): void {
  if (problem.kind === "slip") return noteSlip(book, problem, seen.at);
  const known = book.bugs.find(({ id }) => id === problem.id);
  const check = seen.check ?? seen.command;
  const bug: Bug = known ?? {
    ...problem,
    number: book.next_number++,
    status: "open",
    first_seen: seen.at,
    last_seen: seen.at,
    times: 0,
    returned: 0,
    trails: [],
    agents: [],
    check,
    lines: [],
    since: changeBetween(seen, book.passed[check], seen.at),
    settled: null,
  };
  if (known === undefined) book.bugs.push(bug);
  if (bug.status !== "open")
    Object.assign(bug, { status: "open", returned: bug.returned + 1, settled: null });
  bug.times++;
  if (seen.at >= bug.last_seen) Object.assign(bug, { last_seen: seen.at, check, lines: [...seen.lines] });
  bug.trails = added(bug.trails, seen.trail);
  bug.agents = added(bug.agents, seen.agent);
}

function noteSlip(book: BugBook, { id, title }: Problem, at: string): void {
  const known = book.slips.find((each) => each.id === id);
  book.slips = [
    ...book.slips.filter((each) => each !== known),
    { id, title, times: (known?.times ?? 0) + 1, last_seen: at },
  ].slice(-MOST_SLIPS);
}

/** A check that passes settles what it had found, and what a narrower one had. */
function notePass(book: BugBook, { check, at }: Pick<Sighting, "check" | "at">, work: SeenWork): void {
  if (check === undefined) return;
  for (const bug of book.bugs) {
    if (bug.status !== "open" || bug.last_seen > at || !covers(check, bug.check)) continue;
    bug.status = "settled";
    bug.settled = { at, by: check, change: changeBetween(work, bug.last_seen, at) };
  }
  const { [check]: _, ...others } = book.passed;
  book.passed = newest({ ...others, [check]: at }, MOST_CHECKS);
}

function changeBetween(
  work: Pick<SeenWork, "edits" | "commits">,
  from: string | undefined,
  to: string,
): ChangeBetween | null {
  if (from === undefined) return null;
  const isBetween = ({ at }: { readonly at: string }) => at > from && at <= to;
  return {
    files: [...new Set(work.edits.filter(isBetween).map(({ path }) => path))].slice(-MOST_FILES),
    commits: work.commits.filter(isBetween).map(({ hash }) => hash.slice(0, 12)),
  };
}

function added(names: readonly string[], name: string): string[] {
  return [...names.filter((each) => each !== name), name].slice(-MOST_NAMES);
}

function newest<Value>(map: Readonly<Record<string, Value>>, most: number): Record<string, Value> {
  return Object.fromEntries(Object.entries(map).slice(-most));
}

/** Open bugs stay; of the others the oldest go first. */
function keepWithinBounds(book: BugBook): void {
  const over = book.bugs.length - MOST_BUGS;
  if (over <= 0) return;
  const closed = book.bugs.filter(({ status }) => status !== "open");
  const gone = new Set(closed.toSorted((a, b) => (a.last_seen < b.last_seen ? -1 : 1)).slice(0, over));
  book.bugs = book.bugs.filter((bug) => !gone.has(bug));
}
