import type { CommandFunction } from "../../work/terminal/command.ts";
import { flag, required, text, typed } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

const SUGGESTION = json.fields({
  id: json.text,
  rule: json.text,
  about: json.text,
  trail: json.text,
  reason: json.text,
  command: json.text,
  checkpoints: json.texts,
  evidence: json.list(json.fields({ what: json.text, at: json.nullableText })),
});

/** Verbs about what to do next. */
export const SUGGEST = {
  suggest: {
    file: "suggest",
    about: "Suggest what to do next, with the checkpoints that say why",
    examples: [
      ["checkpoint suggest", "at most three for a session, the most useful first"],
      ["checkpoint suggest --explain", "with why each is told, and what it rests on"],
    ],
    options: { explain: typed(flag("Also why each is told, and what it rests on")) },
    details:
      "Rules over what was recorded, without a model. Every command that is suggested only looks, or records a rule. What is dismissed is not told again.",
    result: () => json.fields({ suggestions: json.list(SUGGESTION), dismissed: json.whole() }),
    writes: "store",
    run: () => import("./suggest.ts"),
  },
  "suggest dismiss": {
    file: "suggest",
    about: "Dismiss a suggestion, or a whole rule, for good",
    examples: [
      ["checkpoint suggest dismiss hidden-failure-1a2b3c4d", "this one"],
      [
        'checkpoint suggest dismiss open-plan --why "Plans here are drafts"',
        "the whole rule, with the reason",
      ],
    ],
    arguments: { id: required("ID", "A suggestion's id, or the name of a rule", { max: 100 }) },
    options: { why: text("TEXT", "Why it is of no use") },
    result: () => json.fields({ id: json.text, at: json.text, by: json.text, why: json.nullableText }),
    writes: "store",
    run: () => import("./suggest-dismiss.ts"),
  },
} as const satisfies Record<string, VerbEntry>;

export type SuggestCommand<Name extends keyof typeof SUGGEST> = CommandFunction<(typeof SUGGEST)[Name]>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "saving",
    entries: SUGGEST,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];
