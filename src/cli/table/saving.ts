import { FAMILY_NAMES, LEVEL_NAMES } from "../../project/settings/summary-choices.ts";
import type { CommandEntry } from "../spec.ts";
import { ID, TRAIL, WRITING } from "./shared.ts";

/** Which checkpoints of a history are shown. */
const FILTERS = {
  since: { kind: "text", value: "TIME", about: "Only those saved since: 7d, 12h, 2026-01-23" },
  by: { kind: "text", value: "AGENT", about: "Only those of this agent" },
  trigger: { kind: "text", value: "WORD", about: "Only those taken for this reason: manual, task, hook …" },
  grep: { kind: "text", value: "TEXT", about: "Only those with this text in their notes or changes" },
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
      notes: { kind: "text", value: "TEXT", about: "Why you save, for readers of the list" },
      var: { kind: "pairs", value: "KEY VALUE", about: "Set a variable; repeat it for more" },
      ...WRITING,
    },
    details:
      "Saves goal, phase, tasks, decisions and variables as they are, and adds what can be seen from outside: the git branch, commit and files touched since the last checkpoint, the state of the services that cairn.yaml declares, and the phase of the plan file if there is one. The first checkpoint of a project creates the folder .cairn at its root.",
  },
  load: {
    about: "Show a checkpoint: the newest, or the one with this id",
    examples: [
      ["checkpoint load", "the newest"],
      ["checkpoint load ckpt-20260123-12", "the beginning of an id is enough"],
      ["checkpoint load @~2", "two before the newest; a tag works too"],
      ['eval "$(checkpoint load --env)"', "its variables as CKPT_… in your shell"],
    ],
    arguments: { id: { kind: "optional", value: "ID", about: ID } },
    options: {
      env: { kind: "flag", about: "Print the variables as shell lines: export CKPT_KEY='value'" },
      ...TRAIL,
    },
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
      limit: { kind: "number", value: "N", minimum: 1, about: "How many (20 otherwise)" },
      all: { kind: "flag", about: "Of all trails" },
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
      graph: { kind: "flag", about: "Draw all trails and where they forked" },
      limit: { kind: "number", value: "N", minimum: 1, about: "How many (20 otherwise)" },
      ...FILTERS,
      ...TRAIL,
    },
  },
  diff: {
    about: "Show what changed between two checkpoints",
    examples: [
      ["checkpoint diff", "the newest against the one before it"],
      ["checkpoint diff --from ckpt-20260123-11", "against an older one"],
      ["checkpoint diff --exit-code", "status 1 if something changed, for scripts"],
    ],
    options: {
      from: { kind: "text", value: "ID", about: "The older one (the parent of the newer otherwise)" },
      to: { kind: "text", value: "ID", about: "The newer one (the newest otherwise)" },
      exitCode: { kind: "flag", about: "End with status 1 if something changed" },
      ...TRAIL,
    },
    details: "How long a service took to answer, and when it was asked, does not count as a change.",
  },
  status: {
    about: "Show where you are and how to go on, on one screen",
    examples: [["checkpoint status", "goal, phase, tasks, what is open, and the next command"]],
    options: { ...TRAIL },
  },
  summary: {
    about: "Print a briefing for the next agent, within a token budget",
    examples: [
      ["checkpoint summary", "about 1,000 tokens"],
      ["checkpoint summary --level full", "about 4,000"],
      ["checkpoint summary --for terraform", "what matters for this kind of task first"],
      ["checkpoint summary --max-tokens 700 --keys region,build", "any budget; variables that must be in"],
    ],
    arguments: { id: { kind: "optional", value: "ID", about: ID } },
    options: {
      level: { kind: "choice", choices: LEVEL_NAMES, about: "How much: 500, 1,000, 2,000 or 4,000 tokens" },
      for: {
        kind: "text",
        value: "TASK",
        about: "What the reader will do: terraform, database … or any words",
      },
      maxTokens: { kind: "number", value: "N", minimum: 1, about: "A budget of your own" },
      maxChars: { kind: "number", value: "N", minimum: 1, about: "A limit in characters as well" },
      keys: { kind: "texts", value: "A,B", about: "Variables or fields that must be in" },
      family: { kind: "choice", choices: FAMILY_NAMES, about: "Whose tokens are counted (claude otherwise)" },
      plain: { kind: "flag", about: "Plain text instead of Markdown" },
      ...TRAIL,
    },
  },
  watch: {
    about: "Save every few minutes while something changes",
    examples: [["checkpoint watch --every 5m", "until Ctrl-C"]],
    options: {
      every: { kind: "duration", value: "TIME", about: "How often: 30s, 5m, 1h (5m otherwise)" },
      ...WRITING,
    },
    details: "For agents without hooks. Nothing is saved while nothing changes.",
  },
} as const satisfies Record<string, CommandEntry>;
