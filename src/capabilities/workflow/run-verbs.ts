import { MILESTONES, PHASES, STATUSES } from "../../work/progress/words.ts";
import type { VerbEntry } from "../../work/verbs/spec.ts";
import {
  RUN,
  choice,
  flag,
  number,
  optional,
  required,
  rest,
  text,
  typed,
} from "../../work/verbs/command-words.ts";
import type { ShownRunStatus } from "../../work/project/runs.ts";
import * as results from "./run-results.ts";
import { FOR_PEOPLE } from "../../work/verbs/reasons.ts";

/** The states that a run can be left in for long. */
const LEFT = ["failed", "cancelled", "paused", "interrupted", "awaiting_approval", "completed"] as const;

/** The states that a run can be shown in. */
const SHOWN = [
  "pending",
  "running",
  "awaiting_approval",
  "paused",
  "completed",
  "failed",
  "cancelled",
  "interrupted",
  "corrupt",
] as const satisfies readonly ShownRunStatus[];

/** Verbs that look at runs of workflows, and those that tidy them up. */
export const RUNS = {
  runs: {
    about: "List the runs of workflows, newest first",
    examples: [
      ["checkpoint runs", "with how far each is, and what comes next"],
      ["checkpoint runs --status failed", "what failed, and why"],
      ["checkpoint runs --archived", "those that were archived"],
    ],
    options: {
      status: choice(SHOWN, "Only those in this status"),
      workflow: text("NAME", "Only those of this workflow"),
      archived: flag("Only archived ones"),
      limit: number(1, "How many, the newest first (default: 50)"),
      all: flag("All of them"),
    },
    details:
      "A run that says it is running although its runner died shows as interrupted. To run again what failed: checkpoint resume --failed.",
    result: () => results.RUNS,
    tool: {
      name: "runs",
      title: "List the runs",
      description:
        "The runs of workflows in this project: how far each is, what comes next, and which can be resumed.",
      effect: "looks",
    },
    page: {},
    run: () => import("./verbs/runs.ts"),
  },
  "runs show": {
    about: "Show a run: its steps, attempts and artifacts",
    examples: [
      ["checkpoint runs show login-1", "on one screen"],
      ["checkpoint runs show login-1 --commands", "with the command of each step, before you trust it"],
    ],
    arguments: { run: RUN },
    options: {
      commands: flag("Also print the command of each step, whole"),
      all: flag("All steps and artifacts of a long run"),
    },
    result: () => results.RUN,
  },
  "runs logs": {
    about: "Print what the steps of a run printed",
    file: "runs-logs",
    examples: [
      ["checkpoint runs logs login-1", "of all steps, in the order in which they started"],
      ["checkpoint runs logs login-1 plan --attempt 1", "of one, as it went the first time"],
      ["checkpoint runs logs login-1 plan --follow", "and what it prints from now on, while it runs"],
    ],
    arguments: { run: RUN, step: optional("STEP", "A step: its name, or its number from 1") },
    options: {
      follow: typed(flag("Go on printing while the run is moved")),
      attempt: number(1, "Which attempt (default: the newest)"),
    },
    wire: {
      tail_bytes: number(1, "Also how each ends, as text", { maximum: 1_000_000 }),
      every_attempt: flag("Also of the attempts before the newest"),
    },
    details:
      "stdout and stderr of a step are together, in their order. They are kept as printed, so a command that prints a secret input shows it here too. checkpoint clean deletes them.",
    verb: "runLogs",
    result: () => results.LOGS,
    page: {},
    run: () => import("./verbs/run-logs.ts"),
  },
  "runs watch": {
    about: "Watch a run that another terminal started",
    file: "runs-watch",
    examples: [
      ["checkpoint runs watch login-1", "Ctrl-C leaves it running"],
      [
        "checkpoint runs watch login-1 --json",
        "events as they happen, one a line; the last line is the result",
      ],
    ],
    arguments: { run: RUN },
    details:
      "Ends when no runner moves the run any more, with the status of the run: completed 0, failed 1, awaiting approval 4, paused 130.",
    result: () => results.WATCHED,
  },
  artifacts: {
    about: "List the files that the steps of a run produced",
    examples: [
      ["checkpoint artifacts login-1", "with size and the step that made each"],
      ["checkpoint artifacts login-1 --verify", "status 6 if one is missing or changed, with what to do"],
    ],
    arguments: { run: RUN },
    options: {
      verify: flag("Compare each with its recorded SHA-256"),
      fetch: flag("First bring the files of a run of workers into this project"),
    },
    result: () => results.ARTIFACTS,
  },
  "artifacts add": {
    about: "Register files that a step produced but did not declare",
    examples: [
      ["checkpoint artifacts add login-1 notes.md", "made by the step that was started last"],
      ["checkpoint artifacts add login-1 out/*.json --step plan", "made by another one"],
    ],
    arguments: { run: RUN, files: rest("FILE", "The files, inside the project", { max: 1000, most: 1000 }) },
    options: { step: text("STEP", "The step that made them: a name, or a number") },
    details:
      "From then on a resume checks that they are there and unchanged, as it does for declared outputs.",
    result: () => results.ARTIFACTS_ADDED,
    writes: "store",
  },
  archive: {
    about: "Archive a run: it can be shown, but not resumed",
    examples: [["checkpoint archive login-1", "so that a fresh run can start"]],
    arguments: { run: RUN },
    details:
      "The last 5 archived runs of a workflow stay. A run whose state is damaged is archived untouched and stays for good.",
    verb: "runArchive",
    result: () => results.ARCHIVED,
    writes: "store",
    tool: FOR_PEOPLE,
  },
  clean: {
    about: "Archive old failed runs and delete their logs",
    examples: [
      ["checkpoint clean --dry-run", "what would go, and why the rest stays"],
      ["checkpoint clean --yes", "failed runs that have not moved for 7 days"],
      ["checkpoint clean --max-age-days 30 --status paused --yes", "others"],
    ],
    options: {
      maxAgeDays: number(0, "How old they must be (default: 7)"),
      status: choice(LEFT, "Which runs (default: failed ones)"),
      dryRun: flag("Only show what would happen"),
      report: text("FILE", "Where the report goes (default: .cairn/reports)"),
      yes: flag("Do not ask"),
    },
    details:
      "Every run is archived first, so its state is kept until its workflow has 5 newer archives. The report is Markdown: what went, why, and how many bytes.",
    verb: "runsClean",
    result: () => results.CLEANED,
    writes: "store",
    tool: FOR_PEOPLE,
  },
  "progress note": {
    about: "Record what an agent did, as a checkpoint and a file",
    examples: [
      ['checkpoint progress note --feature login --agent tester "Wrote the first test"', ""],
      [
        'checkpoint progress note --feature login --agent qa --status complete "Tested"',
        "nothing is left to do",
      ],
    ],
    arguments: { text: required("TEXT", "What was done, in quotes") },
    options: {
      feature: text("NAME", "What is worked on"),
      agent: text("ID", "Who did it (default: $CHECKPOINT_AGENT)"),
      team: text("NAME", "The agent's team"),
      phase: choice(PHASES, "The phase (research at first)"),
      status: choice(STATUSES, "The status (in_progress at first)"),
      milestone: choice(MILESTONES, "A moment worth finding again"),
    },
    details:
      "The file is docs/progress/FEATURE-AGENT.md. What the agent wrote into it by hand is read in first; a malformed file is never overwritten.",
    result: () => results.PROGRESS_NOTED,
    writes: "store",
  },
  "progress scan": {
    about: "Read progress files that agents wrote by hand",
    examples: [["checkpoint progress scan", "status 2 if a file is malformed, with its line and the remedy"]],
    result: () => results.PROGRESS_FOUND,
  },
  templates: {
    about: "List the built-in workflows, show one, or copy it",
    examples: [
      ["checkpoint templates", "what there is to try"],
      ["checkpoint templates eight-agents", "its YAML"],
      ["checkpoint templates eight-agents --to flows", "with its stand-in agent, to make it your own"],
    ],
    arguments: { name: optional("NAME", "A template's name") },
    options: { to: text("DIR", "Copy its files into this folder") },
    result: () => results.TEMPLATES,
  },
} as const satisfies Record<string, VerbEntry>;
