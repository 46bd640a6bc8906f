import type { Activity, RecordedCommit } from "../../state/activity.ts";

const MOST_COMMITS = 200;
const LONGEST_SUBJECT = 120;
/** What git prints of a commit that it made: `[main 1a2b3c4] Retry once`. */
const COMMITTED = /^\[[\w./#-]+(?: \([\w -]+\))* (?<hash>[0-9a-f]{7,40})\] (?<subject>.*)$/;

/** Records the commits that a command printed as its own. */
export function notePrintedCommits(
  activity: Activity,
  printed: readonly string[],
  { at, turn }: Pick<RecordedCommit, "at" | "turn">,
): void {
  for (const line of printed) {
    const { hash, subject } = COMMITTED.exec(line)?.groups ?? {};
    if (hash === undefined || subject === undefined) continue;
    // HEAD may have told the whole hash already.
    const known = activity.commits?.find((each) => each.hash.startsWith(hash));
    add(activity, { hash: known?.hash ?? hash, subject: subject.slice(0, LONGEST_SUBJECT), at, turn });
  }
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
