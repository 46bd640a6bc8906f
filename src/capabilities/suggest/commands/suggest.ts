import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import { suggest as findSuggestions, type Suggestion } from "../suggest.ts";
import { suggestDismiss as dismiss } from "../suggest-dismiss.ts";
import type { SuggestCommand } from "../verbs.ts";

export const suggest: SuggestCommand<"suggest"> = async ({ project }, { explain }, output) => {
  output.progress("Reading what was recorded");
  const found = await findSuggestions(project);
  const { suggestions, dismissed } = found;
  if (suggestions.length === 0)
    output.message(
      dismissed === 0
        ? "Nothing to suggest."
        : `Nothing to suggest; ${count(dismissed, "suggestion")} dismissed.`,
    );
  output.result(found, () => suggestions.flatMap((each) => wordsOf(each, explain)).join("\n"));
};

export const suggestDismiss: SuggestCommand<"suggest dismiss"> = async ({ project }, options, output) => {
  const dismissed = await dismiss(project, options);
  output.result(dismissed, `${dismissed.id} is not told again.`);
};

function wordsOf({ id, about, trail, reason, command, checkpoints, evidence }: Suggestion, explain: boolean) {
  const why = [
    field("why", about),
    ...evidence.map(({ what, at }) => `  | ${at === null ? "" : `${at}  `}${oneLine(what)}`),
  ];
  return [
    `${id}  ${reason}`,
    field("on", `${oneLine(trail)}: ${checkpoints.join(", ")}`),
    ...(explain ? why : []),
    field("next", command),
  ];
}

function field(name: string, value: string): string {
  return `  ${name.padEnd(5)} ${value}`;
}
