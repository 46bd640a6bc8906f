import { MILESTONES, PHASES, STATUSES } from "../../workflow/progress/words.ts";
import type { CommandEntry } from "../spec.ts";

const RUN = { kind: "required", value: "RUN", about: "A run's name, or its beginning" } as const;

/** The states that a run can be left in for long. */
const LEFT = ["failed", "cancelled", "paused", "interrupted", "awaiting_approval", "completed"] as const;

/** Commands that look at runs of workflows, and those that tidy them up. */
export const RUNS = {
  runs: {
    about: "List the runs of workflows, the one that moved last first",
    examples: [
      ["checkpoint runs", "with how far each is, and what comes next"],
      ["checkpoint runs --archived", "those that were put aside"],
    ],
    options: { archived: { kind: "flag", about: "Only archived ones" } },
    details: "A run that says it is running although its runner died shows as interrupted.",
  },
  "runs show": {
    about: "Show a run: its steps, attempts, artifacts, and where it would go on",
    examples: [
      ["checkpoint runs show login-1", "on one screen"],
      ["checkpoint runs show login-1 --commands", "with the command of each step, before you trust it"],
    ],
    arguments: { run: RUN },
    options: {
      commands: { kind: "flag", about: "Also print the command of each step, whole" },
      all: { kind: "flag", about: "All steps and artifacts of a long run" },
    },
  },
  "runs logs": {
    about: "Print what the steps of a run printed",
    file: "runs-logs",
    examples: [
      ["checkpoint runs logs login-1", "of all steps, in the order in which they started"],
      ["checkpoint runs logs login-1 plan --attempt 1", "of one, as it went the first time"],
      ["checkpoint runs logs login-1 plan --follow", "what comes, too, as long as the run moves"],
    ],
    arguments: {
      run: RUN,
      step: { kind: "optional", value: "STEP", about: "A step: its name, or its number from 1" },
    },
    options: {
      follow: { kind: "flag", about: "Go on printing while the run is moved" },
      attempt: { kind: "number", value: "N", minimum: 1, about: "Which attempt (the newest otherwise)" },
    },
    details:
      "stdout and stderr of a step are together, in their order. They are kept as printed, so a command that prints a secret input shows it here too. checkpoint clean deletes them.",
  },
  "runs watch": {
    about: "Watch a run that another terminal moves, to its end",
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
  },
  artifacts: {
    about: "List the files that the steps of a run produced",
    examples: [
      ["checkpoint artifacts login-1", "with size and the step that made each"],
      ["checkpoint artifacts login-1 --verify", "status 6 if one is missing or changed, with what to do"],
    ],
    arguments: { run: RUN },
    options: { verify: { kind: "flag", about: "Compare each with its recorded SHA-256" } },
  },
  "artifacts add": {
    about: "Register files that a step of a run made but did not declare",
    examples: [
      ["checkpoint artifacts add login-1 notes.md", "made by the step that was started last"],
      ["checkpoint artifacts add login-1 out/*.json --step plan", "made by another one"],
    ],
    arguments: {
      run: RUN,
      files: { kind: "rest", value: "FILE", about: "The files, inside the project" },
    },
    options: { step: { kind: "text", value: "STEP", about: "The step that made them: a name, or a number" } },
    details:
      "From then on a resume checks that they are there and unchanged, as it does for declared outputs.",
  },
  archive: {
    about: "Put a run aside: it can be looked at, but not resumed",
    examples: [["checkpoint archive login-1", "so that a fresh run can start"]],
    arguments: { run: RUN },
    details:
      "The last 5 archived runs of a workflow stay. A run whose state is damaged is put aside untouched and stays for good.",
  },
  clean: {
    about: "Archive old failed runs and delete what they printed, with a report",
    examples: [
      ["checkpoint clean --dry-run", "what would go, and why the rest stays"],
      ["checkpoint clean --yes", "failed runs that have not moved for 7 days"],
      ["checkpoint clean --max-age-days 30 --status paused --yes", "others"],
    ],
    options: {
      maxAgeDays: { kind: "number", value: "N", minimum: 0, about: "How old they must be (7 otherwise)" },
      status: { kind: "choice", choices: LEFT, about: "Which runs (failed ones otherwise)" },
      dryRun: { kind: "flag", about: "Only say what would happen" },
      report: { kind: "text", value: "FILE", about: "Where the report goes (.cairn/reports otherwise)" },
      yes: { kind: "flag", about: "Do not ask" },
    },
    details:
      "Every run is archived first, so its state is kept until its workflow has 5 newer archives. The report is Markdown: what went, why, and how many bytes.",
  },
  "progress note": {
    about: "Note what an agent did: a checkpoint, and its progress file",
    examples: [
      ['checkpoint progress note --feature login --agent tester "Wrote the first test"', ""],
      [
        'checkpoint progress note --feature login --agent qa --status complete "Tested"',
        "nothing is left to do",
      ],
    ],
    arguments: { text: { kind: "required", value: "TEXT", about: "What was done, in quotes" } },
    options: {
      feature: { kind: "text", value: "NAME", about: "What is worked on" },
      agent: { kind: "text", value: "ID", about: "Who did it ($CHECKPOINT_AGENT otherwise)" },
      team: { kind: "text", value: "NAME", about: "The agent's team" },
      phase: { kind: "choice", choices: PHASES, about: "The phase (research at first)" },
      status: { kind: "choice", choices: STATUSES, about: "The status (in_progress at first)" },
      milestone: { kind: "choice", choices: MILESTONES, about: "A moment worth finding again" },
    },
    details:
      "The file is docs/progress/FEATURE-AGENT.md. What the agent wrote into it by hand is read in first; a malformed file is never overwritten.",
  },
  "progress scan": {
    about: "Read in what agents wrote into their progress files by hand",
    examples: [["checkpoint progress scan", "status 2 if a file is malformed, with its line and the remedy"]],
  },
  templates: {
    about: "List the built-in workflows, show one, or copy it",
    examples: [
      ["checkpoint templates", "what there is to try"],
      ["checkpoint templates eight-agents", "its YAML"],
      ["checkpoint templates eight-agents --to flows", "with its stand-in agent, to make it your own"],
    ],
    arguments: { name: { kind: "optional", value: "NAME", about: "A template's name" } },
    options: { to: { kind: "text", value: "DIR", about: "Copy its files into this folder" } },
  },
} as const satisfies Record<string, CommandEntry>;
