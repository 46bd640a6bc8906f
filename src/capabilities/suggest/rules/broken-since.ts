import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import type { Bug } from "../../bugs/verbs.ts";
import type { SuggestionRule } from "../rule.ts";

const MOST_NAMED = 3;
/** The title of a problem whose output names neither a test nor a message: whether it is gone is not known well enough. */
const NOTHING_NAMED = "failed";

/** A check that passed, then failed, with the edits between: the cause is most likely there. */
export const brokenSince: SuggestionRule = {
  id: "broken-since",
  about: "What changed between the last pass and the first failure is where to look first.",
  find: ({ bugs, trail, isQuiet }) => {
    const known = bugs.filter(
      ({ since, trails, title, times }) =>
        (since?.files.length ?? 0) > 0 &&
        trails[0] === trail &&
        title !== NOTHING_NAMED &&
        // What was met once, by an agent that still works, it is about to fix.
        (times > 1 || isQuiet),
    );
    // What one run of a check found has one cause, more often than not.
    const runs = Map.groupBy(known, ({ check, first_seen }) => `${first_seen} ${check}`);
    return [...runs.values()].toReversed().map((found) => {
      const first = found[0]!;
      return {
        key: first.id,
        reason: `\`${oneLine(first.check)}\` passed before ${filesOf(first)} changed, and fails since: ${titlesOf(found)}.`,
        command: `checkpoint bugs show ${first.number}`,
        evidence: [
          { what: `first seen: ${first.title}`, at: first.first_seen },
          ...(first.since?.files ?? []).map((file) => ({ what: `changed before: ${file}` })),
        ],
      };
    });
  },
};

function filesOf({ since }: Bug): string {
  const files = since?.files ?? [];
  const named = files.slice(-MOST_NAMED).map(oneLine).join(", ");
  return files.length > MOST_NAMED ? `${named} and ${count(files.length - MOST_NAMED, "other file")}` : named;
}

function titlesOf(found: readonly Bug[]): string {
  const title = oneLine(found[0]!.title);
  return found.length === 1 ? title : `${title}, and ${count(found.length - 1, "other problem")}`;
}
