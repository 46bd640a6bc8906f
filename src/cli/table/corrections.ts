import type { CommandEntry } from "../spec.ts";
import { TRAIL, WRITING } from "./shared.ts";

const WHICH = { kind: "required", value: "WHICH", about: "Its number, or some of its words" } as const;

/** Commands that list and correct what was said about the work. */
export const CORRECTIONS = {
  "constraint list": {
    about: "List the rules, with their numbers",
    examples: [["checkpoint constraint list", ""]],
    options: { ...TRAIL },
  },
  "constraint edit": {
    about: "Reword a rule",
    examples: [['checkpoint constraint edit 2 "Never touch production without asking"', ""]],
    arguments: {
      which: WHICH,
      text: { kind: "required", value: "TEXT", about: "The rule, in quotes" },
    },
    options: { ...WRITING },
  },
  "constraint remove": {
    about: "Take a rule away",
    examples: [["checkpoint constraint remove 2", "by its number in checkpoint constraint list"]],
    arguments: { which: WHICH },
    options: { ...WRITING },
  },
  "decision list": {
    about: "List the decisions, with their numbers",
    examples: [["checkpoint decision list", ""]],
    options: { ...TRAIL },
  },
  "decision edit": {
    about: "Reword a decision or its reason",
    examples: [
      ['checkpoint decision edit 1 "Use Postgres" --why "Several machines"', ""],
      ['checkpoint decision edit sqlite --why "Nothing to install"', "only its reason"],
    ],
    arguments: {
      which: WHICH,
      text: { kind: "optional", value: "TEXT", about: "What was decided, in quotes" },
    },
    options: { why: { kind: "text", value: "TEXT", about: "Why" }, ...WRITING },
  },
  "decision remove": {
    about: "Take a decision away",
    examples: [["checkpoint decision remove 1", "by its number in checkpoint decision list"]],
    arguments: { which: WHICH },
    options: { ...WRITING },
  },
} as const satisfies Record<string, CommandEntry>;
