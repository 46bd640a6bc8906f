import { oneLine } from "../../../core/text/visible.ts";
import type { Decision, Phase, Remark } from "../../state/work-state.ts";
import { capitalized, phaseWords } from "../../state/words.ts";
import { WRITING, flag, number, optional, required, text, texts, typed } from "../../verbs/command-words.ts";
import * as json from "../../verbs/json-schema.ts";
import { COMMITTED, open } from "../../verbs/json-schema.ts";
import type { VerbEntry } from "../../verbs/spec.ts";

const remark = open({ text: json.text, at: json.text, by: json.text });

const phase = open({
  name: json.text,
  number: { type: ["number", "null"] },
  status: json.oneOf("pending", "in_progress", "blocked", "completed", "failed"),
  started_at: json.nullableText,
  notes: json.nullableText,
});

const variable = () => open({ checkpoint: COMMITTED, key: json.text, value: json.anything });

/** What people and agents say about the work. Each is one commit. */
export const WORK = {
  goal: {
    file: "work",
    about: "Set what the work is for, or show it",
    examples: [
      ['checkpoint goal "Ship the login page"', "set it"],
      ['checkpoint goal "Ship it" --done-when "All tests pass"', "with what must be true in the end"],
      ["checkpoint goal", "show it"],
    ],
    arguments: {
      goal: optional("TEXT", "The goal, in quotes", {
        told: "What the work is for, in the person's own words.",
      }),
    },
    options: {
      done_when: texts("TEXT", "What must be true in the end; repeat it for more", {
        told: "What must be true in the end.",
        most: 50,
      }),
      ...WRITING,
    },
    result: () => open({ checkpoint: COMMITTED, goal: json.nullableText, success_criteria: json.texts }),
    writes: "trail",
    tool: {
      name: "goal",
      title: "Set the goal",
      description: "Say what the work is for and when it is done. It stands first in every handoff.",
      effect: "sets",
      needs: ["goal"],
    },
    run: () => import("./goal.ts"),
  },
  next: {
    file: "work",
    about: "Set what to do next, or show it",
    examples: [
      ['checkpoint next "Write the test for a wrong password"', "set it"],
      ["checkpoint next", "show it"],
    ],
    arguments: {
      next_action: optional("TEXT", "The next action, in quotes", { told: "The very next thing to do." }),
    },
    options: WRITING,
    result: () => open({ checkpoint: COMMITTED, next_action: json.nullableText }),
    writes: "trail",
    tool: {
      name: "next",
      title: "Set the next action",
      description:
        "Say what is to be done next, so that the next agent starts there and not at the beginning.",
      effect: "sets",
      needs: ["next_action"],
    },
    run: () => import("./goal.ts"),
  },
  constraint: {
    file: "work",
    about: "Add a rule that every later agent must keep",
    examples: [['checkpoint rule "Never touch the production database"', "kept word for word"]],
    arguments: { text: required("TEXT", "The rule, in quotes") },
    options: WRITING,
    result: () => open({ checkpoint: COMMITTED, constraint: remark }),
    writes: "trail",
    run: () => import("./entries.ts"),
  },
  decide: {
    about: "Record a decision and its reason",
    examples: [['checkpoint decide "Use SQLite" --why "Nothing to install"', "what, and why"]],
    arguments: {
      what: required("TEXT", "What was decided, in quotes", { told: "What was decided." }),
    },
    options: {
      why: text("TEXT", "Why", { told: "The reason, so that the next agent does not ask again." }),
      ...WRITING,
    },
    result: () => open({ checkpoint: COMMITTED, decision: DECISION }),
    writes: "trail",
    tool: {
      name: "decide",
      title: "Record a decision",
      description:
        "Record a decision and its reason, so that the next context neither forgets nor reopens it.",
      effect: "adds",
    },
    run: () => import("./entries.ts"),
    show: ({ decision: { what, why } }: { decision: Decision }) =>
      `Decided: ${oneLine(what)}${why ? ` (${oneLine(why)})` : ""}`,
  },
  block: {
    about: "Record what the work waits for",
    examples: [['checkpoint block "No access to the staging server"', "until unblocked"]],
    arguments: { text: required("TEXT", "What is missing, in quotes") },
    options: WRITING,
    result: () => open({ checkpoint: COMMITTED, number: json.whole(0), blocker: remark }),
    writes: "trail",
    run: () => import("./entries.ts"),
    show: ({ number: at, blocker }: { number: number; blocker: Remark }) =>
      `Blocked by ${at}: ${oneLine(blocker.text)}`,
  },
  unblock: {
    about: "Remove a blocker",
    examples: [
      ["checkpoint unblock 1", "by its number in checkpoint status"],
      ['checkpoint unblock "staging"', "by some of its words"],
    ],
    arguments: { which: required("WHICH", "Its number, or some of its words") },
    options: WRITING,
    result: () => open({ checkpoint: COMMITTED, removed: remark, left: json.whole(0) }),
    writes: "trail",
    run: () => import("./entries.ts"),
    show: ({ removed, left }: { removed: Remark; left: number }) =>
      `No longer blocked by: ${oneLine(removed.text)}\n${left === 0 ? "Nothing blocks the work." : `Still blocked by ${left} more.`}`,
  },
  "phase start": {
    about: "Start a phase",
    examples: [
      ['checkpoint phase start "Agent Bootstrapping" --number 5', "a name, and a number if you count"],
    ],
    arguments: { name: required("NAME", "The phase's name") },
    options: {
      number: number(0, "Its number"),
      notes: text("TEXT", "What it is about"),
      ...WRITING,
    },
    result: () => open({ checkpoint: COMMITTED, phase }),
    writes: "trail",
    run: () => import("./phase.ts"),
    show: ({ phase: started }: { phase: Phase }) => `Started ${oneLine(phaseWords(started))}.`,
  },
  "phase complete": {
    about: "Finish the current phase",
    examples: [
      ["checkpoint phase complete", "done"],
      ["checkpoint phase complete --output docs/design.md", "with the file that came out of it"],
    ],
    options: { output: text("FILE", "A file that the phase produced"), ...WRITING },
    result: () =>
      open({ checkpoint: COMMITTED, phase, phases_completed: json.list({ type: ["string", "number"] }) }),
    writes: "trail",
    run: () => import("./phase.ts"),
    show: ({ phase: done }: { phase: Phase }) => `Completed ${oneLine(phaseWords(done))}.`,
  },
  "phase fail": {
    about: "Say that the current phase failed",
    examples: [['checkpoint phase fail --why "The API is gone"', "and why"]],
    options: { why: text("TEXT", "Why"), ...WRITING },
    result: () => open({ checkpoint: COMMITTED, phase }),
    writes: "trail",
    run: () => import("./phase.ts"),
    show: ({ phase: failed }: { phase: Phase }) => `${capitalized(oneLine(phaseWords(failed)))} failed.`,
  },
  "output add": {
    file: "work",
    about: "Record what came out of the work: evidence, a report, a build",
    examples: [
      ["checkpoint output add evidence evd-7 --action terraform", "what it is, and how it is found again"],
      ["checkpoint output add build 42 --action npm --failed", "one that failed"],
    ],
    arguments: {
      type: required("TYPE", "What kind of thing it is"),
      id: required("NAME", "Its id, file or address, to find it again"),
    },
    options: {
      action: text("TEXT", "What was done"),
      failed: typed(flag("It did not succeed")),
      ...WRITING,
    },
    wire: { success: flag("Whether it succeeded (default: true)") },
    details: "The newest 10 are kept.",
    result: () =>
      open({
        checkpoint: COMMITTED,
        output: open({
          type: json.text,
          id: json.text,
          action: json.text,
          success: json.flag,
          timestamp: json.text,
        }),
      }),
    writes: "trail",
  },
  set: {
    about: "Set a variable, which stays until unset",
    verb: "setVariable",
    examples: [
      ["checkpoint set region eu-west-1", "saved at once"],
      [`checkpoint set limits --parse '{"cpu": 2}'`, "JSON instead of text"],
      ["checkpoint set notes --file notes.md", "the content of a file"],
      ["git diff | checkpoint set patch -", "what comes in on stdin"],
    ],
    arguments: {
      key: required("KEY", "The variable's name"),
      value: optional("VALUE", "Its value, kept as text; - is stdin"),
    },
    options: {
      parse: flag("Read the value as JSON"),
      file: text("FILE", "Take the value from this file"),
      ...WRITING,
    },
    result: variable,
    writes: "trail",
  },
  unset: {
    file: "work",
    about: "Remove a variable",
    verb: "unsetVariable",
    examples: [["checkpoint unset region", "gone from the next checkpoint on"]],
    arguments: { key: required("KEY", "The variable's name") },
    options: WRITING,
    result: variable,
    writes: "trail",
  },
} as const satisfies Record<string, VerbEntry>;

/** A decision, as results have it. */
export const DECISION = open({
  what: json.text,
  why: json.nullableText,
  at: json.text,
  by: json.text,
});
