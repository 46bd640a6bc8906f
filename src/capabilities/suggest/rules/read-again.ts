import { oneLine } from "../../../core/text/visible.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import type { SuggestionRule } from "../rule.ts";

const LEAST = 3;
const MOST_NAMED = 3;

/** Files that were read before a compaction and again after it, and not in order to edit them. */
export const readAgain: SuggestionRule = {
  id: "read-again",
  about:
    "A compaction forgets what files said. What was learnt from them survives as a decision or a note of the checkpoint.",
  find: ({ state, trail }) => {
    const { compacted, edits = [] } = state.activity ?? {};
    const edited = new Set(edits.filter(({ at }) => at > (compacted?.at ?? "")).map(({ path }) => path));
    const again = (compacted?.again ?? []).filter((path) => !edited.has(path));
    if (compacted === undefined || again.length < LEAST) return [];
    const named = again.slice(0, MOST_NAMED).map(oneLine).join(", ");
    const more = again.length > MOST_NAMED ? ` and ${again.length - MOST_NAMED} more` : "";
    return [
      {
        key: compacted.at,
        reason: `After a compaction ${again.length} files were read again, and not edited: ${named}${more}. Record what matters of them: checkpoint decide "…".`,
        command: `checkpoint summary --trail ${shellWord(trail)}`,
        evidence: [
          { what: "the compaction", at: compacted.at },
          ...again.map((path) => ({ what: `read again: ${path}` })),
        ],
      },
    ];
  },
};
