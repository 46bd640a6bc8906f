import { MAX_TEXT, TRAIL, WRITING, choice, optional, required, text } from "../../verbs/command-words.ts";
import * as json from "../../verbs/json-schema.ts";
import { COMMITTED, open } from "../../verbs/json-schema.ts";
import type { VerbEntry } from "../../verbs/spec.ts";
import { DECISION } from "./verbs.ts";

const WHICH = required("WHICH", "Its number, or some of its words");

const removed = () => open({ checkpoint: COMMITTED, removed: open({}), left: json.whole(0) });

/** Verbs that list and correct what was said about the work. */
export const CORRECTIONS = {
  "constraint list": {
    file: "corrections",
    about: "List the rules, with their numbers",
    examples: [["checkpoint rule list", ""]],
    options: TRAIL,
    result: () => json.fields({ constraints: json.list(json.anything) }),
  },
  "constraint edit": {
    file: "corrections",
    about: "Reword a rule",
    examples: [['checkpoint rule edit 2 "Never touch production without asking"', ""]],
    arguments: { which: WHICH, text: required("TEXT", "The rule, in quotes") },
    options: WRITING,
    result: () =>
      open({
        checkpoint: COMMITTED,
        number: json.whole(0),
        constraint: open({ text: json.text, at: json.text, by: json.text }),
      }),
    writes: "trail",
  },
  "constraint remove": {
    file: "corrections",
    about: "Remove a rule",
    examples: [["checkpoint rule remove 2", "by its number in checkpoint rule list"]],
    arguments: { which: WHICH },
    options: WRITING,
    result: removed,
    writes: "trail",
  },
  "decision list": {
    file: "corrections",
    about: "List the decisions, with their numbers",
    examples: [["checkpoint decision list", ""]],
    options: TRAIL,
    result: () => json.fields({ decisions: json.list(json.anything) }),
  },
  "decision edit": {
    file: "corrections",
    about: "Reword a decision or its reason",
    examples: [
      ['checkpoint decision edit 1 "Use Postgres" --why "Several machines"', ""],
      ['checkpoint decision edit sqlite --why "Nothing to install"', "only its reason"],
    ],
    arguments: { which: WHICH, what: optional("TEXT", "What was decided, in quotes") },
    options: { why: text("TEXT", "Why"), ...WRITING },
    result: () => open({ checkpoint: COMMITTED, number: json.whole(0), decision: DECISION }),
    writes: "trail",
  },
  "decision remove": {
    file: "corrections",
    about: "Remove a decision",
    examples: [["checkpoint decision remove 1", "by its number in checkpoint decision list"]],
    arguments: { which: WHICH },
    options: WRITING,
    result: removed,
    writes: "trail",
  },
  promote: {
    about: "Make a session's rule, decision or goal the project's",
    examples: [
      [
        "checkpoint promote decision 1 --trail session/0b6a9f0e",
        "every other session is told; an agent leaves the trail out",
      ],
      ["checkpoint promote rule 1 --trail session/0b6a9f0e", "a rule of that session"],
      ["checkpoint promote goal --trail session/0b6a9f0e", "its goal"],
    ],
    arguments: {
      what: {
        ...choice(["rule", "constraint", "decision", "goal"], "What kind of thing it is"),
        value: "WHAT",
      },
      which: optional("WHICH", "Its number, or some of its words", { max: MAX_TEXT }),
    },
    options: { ...WRITING, trail: text("TRAIL", "The session's trail that it is on") },
    details:
      "What a person types outside of an agent's session holds for the project anyway. What an agent records stays in its session until it is promoted. It goes to trail main, and still says who recorded it.",
    result: () =>
      open({
        checkpoint: COMMITTED,
        from: json.described("The trail that it came from.", json.text),
        promoted: open({ by: json.text, promoted_from: json.text }),
      }),
    writes: "store",
    page: {},
    run: () => import("./promote.ts"),
  },
} as const satisfies Record<string, VerbEntry>;
