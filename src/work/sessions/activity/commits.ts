import type { Activity, RecordedCommit } from "../../state/activity.ts";
import type { StepEntry } from "../events/transcript-entry.ts";
import { noteCommitted } from "./file-edits.ts";

const MOST_COMMITS = 200;
const LONGEST_SUBJECT = 120;
/** What git prints of a commit that it made: `[main 1a2b3c4] Retry once`. */
const COMMITTED = /^\[[\w./#-]+(?: \([\w -]+\))* (?<hash>[0-9a-f]{7,40})\] (?<subject>.*)$/;

/** Without one of these, a script made it: a test, in a repository of its own. */
const COMMITS = /(?<![\w-])(?:commit|cherry-pick|revert|rebase|merge)\b/;
/** What it prints of a branch that it pushed. */
const PUSHED = /^ [ *+-] .* -> /;

/** Records the commits that a step printed as its own, and what is in the last one. */
export function notePrintedCommits(activity: Activity, step: StepEntry, turn: string): void {
  const command = step.command ?? "";
  const commits = (step.mentions ?? []).flatMap((line) => {
    const { hash, subject } = (COMMITS.test(command) && COMMITTED.exec(line)?.groups) || {};
    return hash === undefined || subject === undefined ? [] : { hash, subject };
  });
  for (const { hash, subject } of commits) {
    // HEAD may have told the whole hash already.
    const known = activity.commits?.find((each) => each.hash.startsWith(hash));
    const whole = known?.hash ?? hash;
    add(activity, { hash: whole, subject: subject.slice(0, LONGEST_SUBJECT), at: step.at, turn });
  }
  if (step.mentions?.some((line) => PUSHED.test(line)) && / push\b/.test(command))
    for (const each of activity.commits ?? []) each.pushed = true;
  const last = commits.at(-1)?.hash;
  if (last !== undefined) noteCommitted(activity, last, step);
}

/** Records that HEAD moved: to a commit of this turn, or to one that was only checked out, which its date will tell. */
export function noteHead(activity: Activity, head: string, at: string): void {
  const turn = activity.turns.at(-1)?.at;
  if (turn === undefined) return;
  const known = activity.commits?.findLast((each) => head.startsWith(each.hash));
  add(activity, known === undefined ? { hash: head, at, turn } : { ...known, hash: head });
}

function add(activity: Activity, commit: RecordedCommit): void {
  const others = (activity.commits ?? []).filter(({ hash }) => !commit.hash.startsWith(hash));
  activity.commits = [...others, commit].slice(-MOST_COMMITS);
}
