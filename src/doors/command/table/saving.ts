import { FAMILY_NAMES, LEVEL_NAMES } from "../../../work/project/settings/summary-choices.ts";
import type { CommandEntry } from "../../../work/verbs/spec.ts";
import {
  checkpoint,
  TRAIL,
  WRITING,
  choice,
  duration,
  flag,
  number,
  pairs,
  text,
  texts,
} from "../../../work/verbs/command-words.ts";

/** Which checkpoints of a history are shown. */
const FILTERS = {
  since: text("TIME", "Only those saved since: 7d, 12h, 2026-01-23"),
  by: text("AGENT", "Only those of this agent"),
  trigger: text("WORD", "Only those taken for this reason: manual, task, hook …"),
  grep: text("TEXT", "Only those with this text in their notes or changes"),
} as const;

/** Commands that save where the work stands, and those that show it. */
export const SAVING = {
  now: {
    about: "Save a checkpoint of where the work stands",
    examples: [
      ["checkpoint now", "save, with what git and the declared services say"],
      ['checkpoint now --notes "Before the migration"', "say why"],
      ["checkpoint now --var region eu --var build 42", "set variables, which stay until unset"],
      ["checkpoint now --json", "the whole checkpoint, for programs"],
    ],
    options: {
      notes: text("TEXT", "Why you save, for readers of the list"),
      var: pairs("KEY VALUE", "Set a variable; repeat it for more"),
      ...WRITING,
    },
    details:
      "Saves goal, phase, tasks, decisions and variables as they are, and adds what can be seen from outside: the git branch, commit and files touched since the last checkpoint, the state of the services that cairn.yaml declares, the phase of the plan file if there is one, and what your collectors print (docs/collectors.md). The first checkpoint of a project creates the folder .cairn at its root.",
  },
  load: {
    about: "Show a checkpoint: the newest, or the one with this id",
    examples: [
      ["checkpoint load", "the newest"],
      ["checkpoint load ckpt-20260123-12", "the beginning of an id is enough"],
      ["checkpoint load @~2", "two before the newest; a tag works too"],
      ['eval "$(checkpoint load --env)"', "its variables as CKPT_… in your shell"],
    ],
    arguments: { id: checkpoint("optional") },
    options: { env: flag("Print the variables as shell lines: export CKPT_KEY='value'"), ...TRAIL },
  },
  list: {
    about: "List checkpoints, newest first",
    examples: [
      ["checkpoint list", "the last 20 of this trail"],
      ["checkpoint list --limit 50", "more of them"],
      ["checkpoint list --all", "those of all trails"],
      ["checkpoint list --since 7d --by planner", "those of one agent, of the last week"],
    ],
    options: {
      limit: number(1, "How many (default: 20)"),
      all: flag("Of all trails"),
      ...FILTERS,
      ...TRAIL,
    },
  },
  log: {
    about: "Show the history: who, when, why and what changed",
    examples: [
      ["checkpoint log", "the last 20 of this trail, with what changed in each"],
      ["checkpoint log --graph", "all trails, with the forks drawn"],
      ["checkpoint log --grep sqlite", "where it was noted or changed"],
    ],
    options: {
      graph: flag("Draw all trails and where they forked"),
      limit: number(1, "How many (default: 20)"),
      ...FILTERS,
      ...TRAIL,
    },
  },
  diff: {
    about: "Show what changed between two checkpoints",
    examples: [
      ["checkpoint diff", "the newest against the one before it"],
      ["checkpoint diff @~3", "against an older one"],
      ["checkpoint diff @~3 @~1", "two of them"],
      ["checkpoint diff --exit-code", "status 1 if something changed, for scripts"],
    ],
    arguments: {
      older: checkpoint("optional", {
        value: "OLDER",
        about: "A checkpoint (default: the parent of the newer)",
      }),
      newer: checkpoint("optional", { value: "NEWER", about: "A checkpoint (default: the newest)" }),
    },
    options: {
      from: checkpoint("text", { about: "The same as OLDER" }),
      to: checkpoint("text", { about: "The same as NEWER" }),
      exitCode: flag("End with status 1 if something changed"),
      ...TRAIL,
    },
    details: "How long a service took to answer, and when it was asked, does not count as a change.",
  },
  status: {
    about: "Show where you are and how to go on, on one screen",
    examples: [["checkpoint status", "goal, phase, tasks, what is open, and the next command"]],
    options: TRAIL,
  },
  summary: {
    about: "Print a briefing for the next agent, within a token budget",
    examples: [
      ["checkpoint summary", "about 1,000 tokens"],
      ["checkpoint summary --level full", "about 4,000"],
      ["checkpoint summary --for terraform", "what matters for this kind of task first"],
      ["checkpoint summary --max-tokens 700 --keys region,build", "any budget; variables that must be in"],
    ],
    arguments: { id: checkpoint("optional") },
    options: {
      level: choice(LEVEL_NAMES, "How much: 500, 1,000, 2,000 or 4,000 tokens"),
      for: text("TASK", "What the reader will do: terraform, database … or any words"),
      maxTokens: number(1, "A budget of your own"),
      maxChars: number(1, "A limit in characters as well"),
      keys: texts("A,B", "Variables or fields that must be in"),
      family: choice(FAMILY_NAMES, "Whose tokens are counted (default: claude)"),
      plain: flag("Plain text instead of Markdown"),
      ...TRAIL,
    },
  },
  watch: {
    about: "Save every few minutes while something changes",
    examples: [["checkpoint watch --every 5m", "until Ctrl-C"]],
    options: { every: duration("TIME", "How often: 30s, 5m, 1h (default: 5m)"), ...WRITING },
    details: "For agents without hooks. Nothing is saved while nothing changes.",
  },
} as const satisfies Record<string, CommandEntry>;
