import type { CommandFunction } from "../../work/terminal/command.ts";
import { choice, flag, required, text, texts } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";
import { MISSED } from "./missed.ts";

const SCHEDULE = json.fields({
  name: json.text,
  cron: json.text,
  timezone: json.text,
  file: json.text,
  inputs: json.open({}),
  missed: json.enumOf(...MISSED),
  after: json.text,
  by: json.text,
  next: json.nullableText,
});

/** Verbs about runs that start by the clock. */
export const SCHEDULES = {
  schedule: {
    about: "List the schedules, and when each is due next",
    examples: [["checkpoint schedule", ""]],
    file: "schedule",
    result: () => json.fields({ schedules: json.list(SCHEDULE) }),
    run: () => import("./schedules.ts"),
  },
  "schedule add": {
    about: "Run a workflow at certain times",
    examples: [
      [
        'checkpoint schedule add "0 7 * * 1-5" report.yaml',
        "at seven on workdays, by the clock of this machine",
      ],
      ['checkpoint schedule add "*/10 * * * *" sync.yaml --name sync --missed skip', "and never late"],
    ],
    file: "schedule",
    arguments: {
      cron: required("TIMES", "Minute, hour, day, month, weekday", { max: 100 }),
      file: required("FILE", "The workflow", { max: 500 }),
    },
    options: {
      name: text("NAME", "Its name, with which its runs begin (default: that of the workflow)", { max: 60 }),
      timezone: text("ZONE", "As in Europe/Berlin (default: that of this machine)", { max: 60 }),
      input: texts("KEY=VALUE", "The value of an input; may be given again"),
      missed: choice(MISSED, "What to do about times at which nothing was there to start it (default: last)"),
    },
    details:
      "Workers of a shared store start what is due; otherwise `checkpoint schedule run` does, as long as it runs. Each time is started once, however many of them there are. A secret input comes from the environment of what runs it.",
    result: () => SCHEDULE,
    writes: "store",
    run: () => import("./schedules.ts"),
  },
  "schedule remove": {
    about: "Remove a schedule; its runs stay",
    examples: [["checkpoint schedule remove report", ""]],
    file: "schedule",
    arguments: { name: required("NAME", "The schedule", { max: 60 }) },
    result: () => SCHEDULE,
    writes: "store",
    run: () => import("./schedules.ts"),
  },
  "schedule run": {
    about: "Start what is due, until Ctrl-C",
    examples: [["checkpoint schedule run", "in .cairn; a shared store has workers for that"]],
    file: "schedule-run",
    options: { trust: flag("Start schedules that were not added here, such as those of a repository") },
    details:
      "A schedule that came with a repository, an import or a remote is shown with what it runs, and starts nothing without a yes.",
    result: () => json.fields({ started: json.texts }),
  },
} as const satisfies Record<string, VerbEntry>;

export type ScheduleCommand<Name extends keyof typeof SCHEDULES> = CommandFunction<(typeof SCHEDULES)[Name]>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "workflows",
    entries: SCHEDULES,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];
