import {
  RUN,
  checkpoint,
  flag,
  needed,
  number,
  optional,
  required,
  text,
  texts,
} from "../../work/verbs/command-words.ts";
import type { CommandFunction, EntryOptions } from "../../work/terminal/command.ts";
import { FEW_TOOLS, FOR_PEOPLE, IS_SHOWN, NOT_ASKED } from "../../work/verbs/reasons.ts";
import { fields, flag as bool, list, nullable, text as word } from "../../work/verbs/json-schema.ts";
import type { UntypedVerb, VerbEntry, VerbTable } from "../../work/verbs/spec.ts";
import { UNFINISHED } from "../../work/project/reading/results.ts";
import { ANSWERED, OUTCOME, PLAN } from "./results.ts";
import { RUNS } from "./run-verbs.ts";

const INPUT = texts("KEY=VALUE", "The value of an input; may be given again");

/** What run and resume have in common. */
const MOVING = {
  resumeStep: text(
    "STEP|N",
    "Go on after this step (a name, or a number from 1; 0 is the beginning), in a new run forked from this one",
  ),
  jobs: number(1, "How many steps may run at the same time"),
  dryRun: flag("Only show what would be done, and why"),
  yes: flag("Resume, and load a module for --dry-run, without asking; never answers an approval"),
  trust: flag("Run the commands of a run that came from elsewhere"),
  pause: flag("Let Ctrl-C pause a run of workers; without it, only the watching ends"),
  takeOver: flag("Take the run over from a runner that hangs, which can then no longer change it"),
} as const;

const DECISION = {
  by: text("NAME", "Who decides (else the agent, or the system's user)"),
  reason: text("TEXT", "Why", { max: 2000 }),
} as const;

const STEP = optional("STEP", "The question, where several are open", {
  told: "The question; may be left out when only one is open.",
});

/** Verbs that move a run of a workflow. */
export const WORKFLOWS = {
  run: {
    about: "Run a workflow: nothing is lost, nothing is done twice",
    examples: [
      ["checkpoint run build.yaml --input feature=login", ""],
      ["checkpoint run --template eight-agents", "to try it: works offline, with a stand-in agent"],
      ["checkpoint run build.yaml --dry-run", "what it would do"],
      [
        "checkpoint run build.yaml --detach --run-id order-17",
        "hands it to workers; a second time finds the same run",
      ],
      ["checkpoint run build.yaml --json", "events as they happen, one a line; the last line is the result"],
    ],
    arguments: { file: optional("FILE", "The workflow: YAML, or a TypeScript module") },
    options: {
      template: text("NAME", "A built-in workflow: checkpoint templates lists them"),
      runId: text("ID", "A name for the run (default: one is made)"),
      input: INPUT,
      resume: flag("Go on with its unfinished run"),
      fresh: flag("Archive its unfinished run and start a new one"),
      priority: number(-1000, "For workers: its steps go before those of runs with a lower one (default: 0)"),
      detach: flag("Hand the run to the workers of a shared store, print its name and end"),
      local: flag("Run the steps in this process although the store is shared, and not by workers"),
      ...MOVING,
    },
    details:
      "When the workflow has an unfinished run, you are asked whether to continue it; without a terminal the status is 6 unless --yes, --resume or --fresh says which. Ctrl-C pauses; a second one quits at once. In a shared store workers run the steps, and Ctrl-C only ends the watching. Secret inputs come from $INPUT_NAME, or are asked for. Status: completed 0, failed 1, awaiting approval 4, needs a decision from you 6, paused 130.",
    result: () => fields({ run: nullable(OUTCOME), plan: nullable(PLAN) }),
  },
  resume: {
    about: "Resume what is unfinished: sessions, runs, progress files",
    examples: [
      ["checkpoint resume", "resumes the one that is unfinished, or asks which"],
      ["checkpoint resume --list", "everything unfinished"],
      ["checkpoint resume login-1 --dry-run", "what is kept, what runs next, and why"],
      ["checkpoint resume login-1 --redo plan", "repeats a step and what follows from it"],
      ["checkpoint resume login-1 --to HEAD", "a run of workers, with what is committed now"],
      ["checkpoint resume --failed --workflow build", "all failed runs of workers, or those of one workflow"],
      ["checkpoint resume 20251023_093456 --workflow dev.yaml", "a pipeline that was imported"],
    ],
    arguments: { run: optional("RUN", "A run's name, or its beginning") },
    options: {
      list: flag("Only list what is unfinished"),
      failed: flag("Run again every run of workers that failed; --workflow names whose"),
      from: checkpoint("text", { value: "CKPT", about: "Go on from this checkpoint of a run, in a new run" }),
      to: text("COMMIT", "Move a run of workers to this commit: its definition and its files"),
      redo: text("STEP|N", "Repeat this step and what follows from it, in a new run"),
      workflow: text(
        "FILE",
        "What the steps of an imported pipeline run: a workflow with steps of the same names",
      ),
      input: { ...INPUT, about: "A secret input again ($INPUT_NAME is safer), or one of --workflow" },
      ...MOVING,
      acceptChanges: flag("Take changed files, and an import that looks wrong, as they are"),
      killOrphans: flag("End commands that still run, instead of waiting for them"),
    },
    details:
      "--resume-step, --redo and --from make a new run, because a run is a record: what it did after that step stays as it was. Before it continues, it looks at the state, the files, the definition, git and the clock, and says what does not fit. A run of workers stays on the commit that it was started at, unless --to moves it; others follow the file as it is now. Status: completed 0 (also if it was before), failed 1, awaiting approval 4, damaged 5, needs a decision from you 6, paused 130.",
    result: () => ({
      ...fields({
        run: nullable(OUTCOME),
        plan: nullable(PLAN),
        unfinished: UNFINISHED,
        resumed: list(word),
      }),
      required: ["run", "plan"],
    }),
  },
  resumePlan: {
    command: "resume --dry-run prints it",
    wire: { run: RUN },
    tool: {
      name: "resume_plan",
      title: "Plan a resume",
      description:
        "What resuming a run would do: what is kept, what runs next and why, and whether anything speaks against it. Changes nothing.",
      effect: "looks",
    },
    page: NOT_ASKED,
    run: () => import("./verbs/runs.ts"),
  },
  answer: {
    command: "approve says yes, and reject says no",
    wire: {
      run: RUN,
      approved: needed(flag("Whether the answer is yes")),
      step: STEP,
      option: text("OPTION", "Which of the options that the question offers; only with a yes"),
      reason: DECISION.reason,
      digest: text(
        "DIGEST",
        "The files that were looked at, as `questions` names them: it is refused if one changed since",
        { max: 100 },
      ),
    },
    writes: "store",
    tool: {
      name: "approve",
      title: "Ask the person for an approval",
      description:
        "Put an open question of a run before the person, in the client's own dialog, and record the answer. An agent cannot decide here: where the client cannot ask, this is refused.",
      effect: "adds",
      only: ["run", "step"],
    },
    page: {},
    run: () => import("./verbs/answer.ts"),
  },
  questions: {
    command: "resume and runs show say what a run asks, and where its files are",
    wire: { run: RUN },
    tool: "the tool that asks a person says what it is about: tests/mcp/approve.test.ts",
    page: {},
    run: () => import("./verbs/questions.ts"),
  },
  approve: {
    about: "Approve what a run waits for",
    examples: [
      ["checkpoint approve login-1", "the one question that is open"],
      ["checkpoint approve login-2 ship --choose beta", "one of several, with an option"],
    ],
    arguments: { run: RUN, step: STEP },
    options: { choose: text("OPTION", "One of the options of the question"), ...DECISION },
    details:
      "You approve the files as they are now: if they change before anything is built on them, the question is asked again. A live runner continues by itself.",
    result: () => ANSWERED,
  },
  reject: {
    about: "Reject what a run waits for: its step fails",
    examples: [['checkpoint reject login-1 --reason "No tests"', ""]],
    file: "approve",
    arguments: { run: RUN, step: STEP },
    options: DECISION,
    result: () => ANSWERED,
  },
  signal: {
    about: "Send a signal that a step of a run waits for",
    examples: [
      ["checkpoint signal order-17 paid", ""],
      [
        `checkpoint signal order-17 paid --data '{"amount": 12}' --id evt_1`,
        "with a result; a second time changes nothing",
      ],
    ],
    arguments: { run: RUN, name: required("NAME", "The signal, as `wait:` names it in the workflow") },
    options: {
      data: text("JSON", "What it brings: the result of the step", { max: 100_000 }),
      id: text("ID", "Makes sending again harmless: a signal with this id is there once", { max: 200 }),
    },
    details:
      "A signal that comes before its step waits for it, and is taken once. A live runner and workers continue by themselves.",
    verb: "runSignal",
    result: () => fields({ run: OUTCOME, signal: word, is_new: bool }),
    writes: "store",
    run: () => import("./verbs/signal.ts"),
  },
  pause: {
    about: "Pause a run, from any terminal: its steps stop until it is resumed",
    examples: [["checkpoint pause login-1", "what was under way runs again after checkpoint resume login-1"]],
    arguments: { run: RUN },
    options: { reason: DECISION.reason },
    verb: "runPause",
    result: () => fields({ run: OUTCOME }),
    writes: "store",
    run: () => import("./verbs/put-aside.ts"),
  },
  cancel: {
    about: "Cancel a run: its steps stop, and no others start",
    examples: [["checkpoint cancel login-1", "what it knew stays"]],
    arguments: { run: RUN },
    options: { reason: DECISION.reason },
    verb: "runCancel",
    result: () => fields({ run: OUTCOME }),
    writes: "store",
    tool: FOR_PEOPLE,
    page: {},
    run: () => import("./verbs/put-aside.ts"),
  },
} as const satisfies Record<string, VerbEntry | UntypedVerb>;

const ENTRIES = { ...WORKFLOWS, ...RUNS };

export const VERBS: readonly VerbTable[] = [
  {
    group: "workflows",
    entries: ENTRIES,
    tool: FEW_TOOLS,
    page: IS_SHOWN,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];

/** A command of this capability, by its name, and what it is called with. */
export type WorkflowCommand<Name extends keyof typeof ENTRIES> = CommandFunction<(typeof ENTRIES)[Name]>;
export type WorkflowOptions<Name extends keyof typeof ENTRIES> = EntryOptions<(typeof ENTRIES)[Name]>;
