import { required, text } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";
import { STORY } from "../../work/project/reading/story-line.ts";
import { showExplanation } from "./show-explanation.ts";

const ENTRIES = {
  explain: {
    about: "Show which prompt and decision led to a commit or a line",
    examples: [
      ["checkpoint explain HEAD", "which session made this commit, and what it was asked"],
      ["checkpoint explain src/login.ts:42", "why this line is there"],
      ["checkpoint explain src/login.ts", "the turns that changed this file last"],
      ['checkpoint explain "use sqlite"', "where a decision comes from"],
    ],
    arguments: {
      what: required("WHAT", "A commit, a file, FILE:LINE, or words of a decision", { max: 1000 }),
    },
    options: { session: text("ID", "Only this session", { max: 200 }) },
    details:
      "Each answer says how it was found and how sure that is. A commit is recognised by what git printed when the session made it; after a rebase, an amend or a cherry-pick by its author date and subject; after a squash by the lines that the session wrote, which is likely, never certain.",
    result: () =>
      json.fields({
        about: json.fields({
          kind: json.enumOf("commit", "file", "line", "decision"),
          what: json.text,
          commit: json.nullableText,
          subject: json.nullableText,
          authored_at: json.nullableText,
          line: json.nullableText,
        }),
        sources: json.list(
          json.fields({
            certainty: json.enumOf("certain", "likely", "possible"),
            how: json.text,
            trail: json.text,
            client: json.nullableText,
            checkpoint_id: json.text,
            turns: json.list(json.fields({ at: json.text, story: STORY })),
          }),
        ),
      }),
    run: () => import("./explain.ts"),
    show: showExplanation,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
  },
} as const satisfies Record<string, VerbEntry>;

export type ExplainEntry = (typeof ENTRIES)["explain"];

export const VERBS: readonly VerbTable[] = [{ group: "saving", entries: ENTRIES }];
