import type { FileEdit } from "../../../work/state/activity.ts";
import { count } from "../../../work/state/words.ts";
import type { Facts, SuggestionRule } from "../rule.ts";

const LEAST_EDITS = 10;
const LEAST_MINUTES = 60;
/** A longer pause counts as this much: it was no work. */
const LONGEST_PAUSE = 20;
/** Plans and notes are often not meant for a commit. */
const PROSE = /\.(?:md|mdx|txt|rst|log|jsonl?)$|^(?:\.\.|\/|~)|(?:^|\/)(?:node_modules|tmp)\//;

/** An hour of work, and ten edits of code, that no commit holds. */
export const uncommitted: SuggestionRule = {
  id: "uncommitted",
  about: "A checkpoint keeps what was done and why; what the files say is safe once git has it.",
  find: (facts) => {
    const { activity } = facts.state;
    const open = (activity?.edits ?? []).filter(
      ({ commit, path }) => commit === undefined && !PROSE.test(path) && isStillOpen(facts, path),
    );
    const edits = open.reduce((sum, each) => sum + each.edits, 0);
    const since = activity?.commits?.at(-1)?.at ?? "";
    const minutes = minutesWorked(facts, since, open);
    if (edits < LEAST_EDITS || minutes < LEAST_MINUTES) return [];
    return [
      {
        key: since,
        reason: `${count(edits, "edit")} of ${count(open.length, "file")} in ${minutes} minutes of work are in no commit.`,
        command: "git status --short",
        evidence: open.map(({ path, at, edits: times }) => ({
          what: `${path}: ${count(times, "edit")}`,
          at,
        })),
      },
    ];
  },
};

function isStillOpen({ changed }: Facts, path: string): boolean {
  return changed === undefined || changed.has(path);
}

/** From the first of these edits after the last commit to the last one, without long pauses. */
function minutesWorked({ state }: Facts, since: string, open: readonly FileEdit[]): number {
  const { turns = [], edits = [], results = [], written = [] } = state.activity ?? {};
  const last = open.at(-1)?.at ?? "";
  const isOpen = (path: string) => open.some((each) => each.path === path);
  const first = written.find(({ turn, path }) => turn > since && isOpen(path))?.turn ?? last;
  const times = [...turns, ...edits, ...results]
    .map(({ at }) => at)
    .filter((at) => at >= first && at <= last)
    .toSorted();
  const gaps = times.slice(1).map((at, index) => (Date.parse(at) - Date.parse(times[index]!)) / 60_000);
  return Math.round(gaps.reduce((sum, gap) => sum + Math.min(gap, LONGEST_PAUSE), 0));
}
