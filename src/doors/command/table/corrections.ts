import type { CommandEntry } from "../../../work/verbs/spec.ts";
import { TRAIL, WRITING, choice, optional, required, text } from "../../../work/verbs/command-words.ts";

const WHICH = required("WHICH", "Its number, or some of its words");

/** Commands that list and correct what was said about the work. */
export const CORRECTIONS = {
  "constraint list": {
    about: "List the rules, with their numbers",
    examples: [["checkpoint constraint list", ""]],
    options: TRAIL,
  },
  "constraint edit": {
    about: "Reword a rule",
    examples: [['checkpoint constraint edit 2 "Never touch production without asking"', ""]],
    arguments: { which: WHICH, text: required("TEXT", "The rule, in quotes") },
    options: WRITING,
  },
  "constraint remove": {
    about: "Remove a rule",
    examples: [["checkpoint constraint remove 2", "by its number in checkpoint constraint list"]],
    arguments: { which: WHICH },
    options: WRITING,
  },
  "decision list": {
    about: "List the decisions, with their numbers",
    examples: [["checkpoint decision list", ""]],
    options: TRAIL,
  },
  "decision edit": {
    about: "Reword a decision or its reason",
    examples: [
      ['checkpoint decision edit 1 "Use Postgres" --why "Several machines"', ""],
      ['checkpoint decision edit sqlite --why "Nothing to install"', "only its reason"],
    ],
    arguments: { which: WHICH, text: optional("TEXT", "What was decided, in quotes") },
    options: { why: text("TEXT", "Why"), ...WRITING },
  },
  "decision remove": {
    about: "Remove a decision",
    examples: [["checkpoint decision remove 1", "by its number in checkpoint decision list"]],
    arguments: { which: WHICH },
    options: WRITING,
  },
  promote: {
    about: "Make what one session decided hold for the whole project",
    file: "promote",
    examples: [
      [
        "checkpoint promote decision 1 --trail session/0b6a9f0e",
        "every other session is told; an agent leaves the trail out",
      ],
      ["checkpoint promote constraint 1 --trail session/0b6a9f0e", "a rule of that session"],
      ["checkpoint promote goal --trail session/0b6a9f0e", "its goal"],
    ],
    arguments: {
      what: { ...choice(["constraint", "decision", "goal"], "What kind of thing it is"), value: "WHAT" },
      which: optional("WHICH", "Its number, or some of its words"),
    },
    options: { ...WRITING, trail: text("TRAIL", "The session's trail that it is on") },
    details:
      "What a person types outside of an agent's session holds for the project anyway. What an agent records stays in its session until it is promoted. It goes to trail main, and still says who recorded it.",
  },
} as const satisfies Record<string, CommandEntry>;
