import { FAMILY_NAMES, LEVEL_NAMES } from "../settings/summary-choices.ts";
import { TRAIL, checkpoint, choice, flag, number, text, texts, typed } from "../../verbs/command-words.ts";
import * as json from "../../verbs/json-schema.ts";
import { INFO, open } from "../../verbs/json-schema.ts";
import { NOT_ASKED } from "../../verbs/reasons.ts";
import type { UntypedVerb, VerbEntry } from "../../verbs/spec.ts";
import { CHANGES, STATUS, WEIGHED } from "./results.ts";

const FEWER_TOKENS = "an agent reads list and diff, which take fewer tokens";

/** Which checkpoints of a history are shown. */
const FILTERS = {
  since: text("TIME", "Only those saved since: 7d, 12h, 2026-01-23", { max: 40 }),
  by: text("AGENT", "Only those of this agent"),
  trigger: text("WORD", "Only those taken for this reason: manual, task, hook …", {
    told: "Only those taken for this reason: manual, task …",
  }),
  grep: text("TEXT", "Only those with this text in their notes or changes", { max: 200 }),
} as const;

const HISTORY = { ...FILTERS, ...TRAIL };

/** Verbs that look at checkpoints. */
export const READING = {
  load: {
    about: "Show a checkpoint: the newest, or the one with this id",
    examples: [
      ["checkpoint load", "the newest"],
      ["checkpoint load ckpt-20260123-12", "the beginning of an id is enough"],
      ["checkpoint load @~2", "two before the newest; a tag works too"],
      ['eval "$(checkpoint load --env)"', "its variables as CKPT_… in your shell"],
    ],
    arguments: { id: checkpoint("optional") },
    options: {
      env: typed(flag("Print the variables as shell lines: export CKPT_KEY='value'")),
      ...TRAIL,
    },
    result: () => json.ref("checkpoint"),
    tool: {
      name: "load",
      title: "Load a checkpoint",
      description:
        "Everything that a checkpoint holds: the newest one, or the one with this id. For a briefing that fits a context, use handoff.",
      effect: "looks",
      also: {
        fields: texts(
          "FIELD",
          "Only these parts of the state, whole: such as tasks, decisions, variables, commands",
          { most: 50 },
        ),
      },
    },
    page: {},
    run: () => import("./load.ts"),
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
      limit: number(1, "How many (default: 20)", { maximum: 200 }),
      all: flag("Of all trails"),
      ...HISTORY,
    },
    result: () => open({ trail: json.nullableText, checkpoints: json.list(open(INFO)) }),
    tool: {
      name: "list",
      title: "List checkpoints",
      description: "The checkpoints of this session's trail, or of all trails, newest first.",
      effect: "looks",
    },
    page: NOT_ASKED,
    run: () => import("./list.ts"),
  },
  log: {
    about: "Show the history: who, when, why and what changed",
    examples: [
      ["checkpoint log", "the last 20 of this trail, with what changed in each"],
      ["checkpoint log --graph", "all trails, with the forks drawn"],
      ["checkpoint log --grep sqlite", "where it was noted or changed"],
    ],
    options: {
      graph: typed(flag("Draw all trails and where they forked")),
      limit: number(1, "How many (default: 20)"),
      ...HISTORY,
    },
    result: () =>
      open({
        trail: json.nullableText,
        checkpoints: json.list(
          open({ ...INFO, is_head: json.flag, damaged: json.flag, changes: json.nullable(open(CHANGES)) }),
        ),
      }),
    tool: FEWER_TOKENS,
    page: NOT_ASKED,
  },
  timeline: {
    command: "a person reads log, which has no positions",
    wire: {
      from: number(0, "The position of the first one; 0 is the newest"),
      around: checkpoint("text", { told: "The checkpoint in the middle, where no position is given." }),
      limit: number(1, "How many (default: 50)", { maximum: 200 }),
      ...TRAIL,
    },
    tool: FEWER_TOKENS,
    page: {},
    run: () => import("./timeline.ts"),
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
      older: typed(
        checkpoint("optional", {
          value: "OLDER",
          about: "A checkpoint (default: the parent of the newer)",
        }),
      ),
      newer: typed(checkpoint("optional", { value: "NEWER", about: "A checkpoint (default: the newest)" })),
    },
    options: {
      from: checkpoint("text", {
        about: "The same as OLDER",
        told: "The older one; the one before the newer otherwise.",
      }),
      to: checkpoint("text", {
        about: "The same as NEWER",
        told: "The newer one; the newest otherwise.",
      }),
      exitCode: typed(flag("End with status 1 if something changed")),
      ...TRAIL,
    },
    details: "How long a service took to answer, and when it was asked, does not count as a change.",
    result: () => open({ from: open(INFO), to: open(INFO), changed: json.flag, ...CHANGES }),
    tool: {
      name: "diff",
      title: "Compare two checkpoints",
      description:
        "What changed between two checkpoints, in the terms of the work: tasks, phase, variables and the rest.",
      effect: "looks",
    },
    page: {},
    run: () => import("./diff.ts"),
  },
  status: {
    about: "Show where the work stands and what to do next",
    examples: [["checkpoint status", "goal, phase, tasks, what is open, and the next command"]],
    options: TRAIL,
    result: () => STATUS,
    tool: "handoff tells an agent the same, within a budget",
    page: NOT_ASKED,
  },
  summary: {
    about: "Print the briefing for the next agent",
    examples: [
      ["checkpoint summary", "about 1,000 tokens"],
      ["checkpoint summary --level full", "about 4,000"],
      ["checkpoint summary --for terraform", "what matters for this kind of task first"],
      ["checkpoint summary --max-tokens 700 --keys region,build", "any budget; variables that must be in"],
    ],
    arguments: { id: checkpoint("optional") },
    options: {
      level: choice(LEVEL_NAMES, "How much: 500, 1,000, 2,000 or 4,000 tokens"),
      for: text("TASK", "What the reader will do: terraform, database … or any words", {
        told: "What the reader will do: what matters for that comes first.",
        max: 2000,
      }),
      maxTokens: number(1, "A budget of your own", { maximum: 100_000, told: "" }),
      maxChars: number(1, "A limit in characters as well", { maximum: 1_000_000, told: "" }),
      keys: texts("A,B", "Variables or fields that must be in", { most: 50 }),
      family: typed(choice(FAMILY_NAMES, "Whose tokens are counted (default: claude)")),
      plain: typed(flag("Plain text instead of Markdown")),
      ...TRAIL,
    },
    wire: { subagent: flag("Whether it goes before a subagent's task") },
    result: () =>
      open({
        checkpoint_id: json.text,
        trail: json.text,
        text: json.text,
        tokens: open({ estimate: json.whole(0), upper: json.whole(0), family: json.text, method: json.text }),
        budget: open({
          max_tokens: json.nullable(json.whole(0)),
          max_chars: json.nullable(json.whole(0)),
          family: json.text,
        }),
        resume_command: json.text,
        kept: json.list(WEIGHED),
        dropped: json.list(WEIGHED),
      }),
    tool: {
      name: "handoff",
      title: "Get the briefing",
      description:
        "The briefing for the next agent on this work, within a token budget: goal, rules, where the work stands, what comes next. Read it first when you take over or after your context was compacted; put it before the task of a subagent.",
      effect: "looks",
    },
    page: {},
    run: () => import("./summary.ts"),
  },
  unfinished: {
    command: "resume --list prints it",
    tool: "a session is told of unfinished work when it starts, and handoff repeats it",
    page: NOT_ASKED,
  },
} as const satisfies Record<string, VerbEntry | UntypedVerb>;
