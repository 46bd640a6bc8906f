import { cut } from "../../../core/text/cut.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import type { SuggestionRule } from "../rule.ts";

/** The last command of a line decides its exit status: these succeed whatever the check before them did. */
const PIPED = /\|&?\s*(?:tail|head|grep)\b/;
/** A filter for failures shows them: the status does not matter. */
const READS_FAILURES = /\|\s*grep\b.*(?:fail|error|panic)/i;
const LONGEST_COMMAND = 100;

/** A check that failed, and whose exit status said that it had not. */
export const hiddenFailure: SuggestionRule = {
  id: "hidden-failure",
  about:
    "Without pipefail, a pipe ends with the status of its last command, so `&&` and scripts take a failed check for a passed one.",
  find: ({ state }) => {
    const hidden = (state.activity?.results ?? []).filter(
      ({ ok, check, hidden, command }) =>
        !ok && check !== undefined && hidden === true && PIPED.test(command) && !READS_FAILURES.test(command),
    );
    const last = hidden.at(-1);
    if (last === undefined) return [];
    const others = hidden.length === 1 ? "" : `, as ${count(hidden.length - 1, "other check")} did`;
    return [
      {
        key: "",
        reason: `\`${cut(oneLine(last.command), LONGEST_COMMAND)}\` failed and ended with status 0, because of its pipe${others}.`,
        command: 'checkpoint rule "Run checks without a pipe, or after: set -o pipefail"',
        evidence: hidden.map(({ command, at }) => ({ what: command, at })),
      },
    ];
  },
};
