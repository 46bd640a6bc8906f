import type { RecordedCommit } from "../../work/state/activity.ts";
import type { GitCommit } from "./git-commit.ts";
import { recognisable, type SessionRecord, turnsThatWrote } from "./recorded.ts";

export type Certainty = "certain" | "likely" | "possible";

/** A session that a commit may come from, and the turns of it that matter, the most telling first. */
export interface Match {
  readonly session: SessionRecord;
  readonly certainty: Certainty;
  /** What was found, as a sentence. */
  readonly how: string;
  readonly turns: readonly string[];
}

/** A command may do more after its commit, and its time is that of its end. */
const LONGEST_COMMAND_MS = 10 * 60_000;
const LONGEST_AMENDED_MS = 60_000;
const CLOCK_MS = 2000;
/** A session that happens to have written a line or two of a commit is not its source. */
const LEAST_SHARE = 0.2;
const MOST_MATCHES = 5;

/**
 * The sessions that a commit comes from. Certain is only what git itself told: a hash that it printed, or an author date and
 * a subject that no other recorded commit has. Lines are written twice, so by themselves they never are.
 */
export function matchCommit(commit: GitCommit, sessions: readonly SessionRecord[]): Match[] {
  const recorded = sessions.flatMap((session) =>
    (session.activity.commits ?? []).flatMap((made) => {
      const found = compare(commit, made);
      return found === undefined ? [] : { session, made, found };
    }),
  );
  const best = FOUND.find((how) => recorded.some(({ found }) => found === how));
  const told = best === undefined || best === "meanwhile" ? matchLines(commit, sessions) : [];
  if (told.length > 0) return told;
  const same = recorded.filter(({ found }) => found === best);
  return same
    .filter(({ session }, index) => same.findIndex((each) => each.session === session) === index)
    .map((each) => byRecord(each, commit, same.length > 1));
}

type Found = (typeof FOUND)[number];

/** What a commit may have in common with one that was recorded, the surest first. */
const FOUND = ["hash", "date and subject", "head", "date", "meanwhile"] as const;

const HOW: Record<Found, (made: RecordedCommit) => string> = {
  hash: () => "git printed this commit there",
  "date and subject": ({ hash }) =>
    `it has the author date and subject of ${hash.slice(0, 9)}, which was rewritten`,
  head: () => "HEAD moved to it during a turn; another process may have made it",
  date: ({ hash }) => `it has the author date of ${hash.slice(0, 9)}, under another subject`,
  meanwhile: () => "it was authored during a turn in which HEAD moved; another process may have made it",
};

function compare(commit: GitCommit, { hash, subject, at, turn }: RecordedCommit): Found | undefined {
  if (commit.hash.startsWith(hash)) {
    if (subject !== undefined) return "hash";
    // One that was only checked out is older than the turn.
    return commit.authoredAt >= Date.parse(turn) - CLOCK_MS ? "head" : undefined;
  }
  const late = Date.parse(at) - commit.authoredAt;
  if (late < -CLOCK_MS) return undefined;
  // Several commits, or one that was rewritten since, of which nothing but the move of HEAD told.
  if (subject === undefined)
    return commit.authoredAt >= Date.parse(turn) - CLOCK_MS ? "meanwhile" : undefined;
  if (late > LONGEST_COMMAND_MS) return undefined;
  if (subject !== "" && commit.subject.startsWith(subject)) return "date and subject";
  return late <= LONGEST_AMENDED_MS ? "date" : undefined;
}

interface Recorded {
  readonly session: SessionRecord;
  readonly made: RecordedCommit;
  readonly found: Found;
}

function byRecord({ session, made, found }: Recorded, { added }: GitCommit, isAmbiguous: boolean): Match {
  const by = turnsThatWrote(session, added);
  const isHeadOnly = found === "head" || found === "meanwhile";
  const wroteNone = (isHeadOnly || recognisable(added) > 0) && by.length === 0;
  const isCertain = found === "hash" || (found === "date and subject" && !wroteNone && !isAmbiguous);
  return {
    session,
    certainty: isCertain ? "certain" : wroteNone ? "possible" : "likely",
    how: HOW[found](made),
    turns: [...new Set([...by.map(({ turn }) => turn), made.turn])],
  };
}

/** The sessions that wrote enough of these lines, before they were committed. */
export function matchLines(
  { added, authoredAt }: Pick<GitCommit, "added" | "authoredAt">,
  sessions: readonly SessionRecord[],
): Match[] {
  const total = recognisable(added);
  const writers = sessions
    .map((session) => {
      const by = turnsThatWrote(session, added).filter(
        ({ turn }) => Date.parse(turn) <= authoredAt + CLOCK_MS,
      );
      return { session, by, lines: by.reduce((sum, { lines }) => sum + lines, 0) };
    })
    .filter(({ lines }) => lines > 0 && lines >= LEAST_SHARE * total)
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, MOST_MATCHES);
  const isShared = writers.filter(({ lines }) => lines > total / 2).length > 1;
  return writers.map(({ session, by, lines }) => ({
    session,
    certainty: lines > total / 2 && !isShared ? "likely" : "possible",
    how:
      total === 1
        ? "it wrote this line"
        : `it wrote ${lines} of the ${total} lines by which the commit can be recognised`,
    turns: by.map(({ turn }) => turn),
  }));
}
