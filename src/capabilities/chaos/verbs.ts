import type { CommandFunction } from "../../work/terminal/command.ts";
import { flag, number, required, text } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import { FEW_TOOLS, NOT_ASKED } from "../../work/verbs/reasons.ts";
import type { VerbEntry, VerbTable } from "../../work/verbs/spec.ts";

/** What a chaos test found. */
const REPORT = json.fields({
  file: json.text,
  workflow: json.text,
  tier: json.enumOf("in-process", "processes", "workers"),
  seed: json.whole(0),
  runs: json.whole(0),
  /** How often each fault struck. */
  struck: json.map(json.whole(0)),
  /** Faults that were asked for and never struck, and why. */
  not_tried: json.list(json.fields({ fault: json.text, reason: json.text })),
  /** What is another one each time, even without faults. */
  not_compared: json.texts,
  /** Each invariant that some schedule broke, and the smallest schedule that does. */
  findings: json.list(
    json.fields({
      invariant: json.text,
      reason: json.text,
      first_run: json.whole(0),
      runs: json.whole(0),
      found: json.texts,
      smallest: json.texts,
      tries: json.whole(0),
      replay: json.nullableText,
    }),
  ),
  report: json.nullableText,
});
export type ChaosReport = json.ValueOf<typeof REPORT>;

const ENTRIES = {
  chaos: {
    about: "Test a workflow under faults: kills, failures, late answers",
    examples: [
      ["checkpoint chaos chaos.yaml", "200 runs in copies of the project, and what broke"],
      [
        "checkpoint chaos build.yaml --runs 50 --seed 7",
        "a workflow as it is, with the invariants of all workflows",
      ],
      [
        "checkpoint chaos chaos.yaml --processes",
        "with real processes: kill -9, a frozen runner, a full disk",
      ],
      ["checkpoint chaos chaos.yaml --workers", "with workers on the server of $CHECKPOINT_STORE"],
      ["checkpoint chaos chaos.yaml --replay .cairn/chaos/order/same-result.json", "one schedule again"],
    ],
    arguments: { file: required("FILE", "A chaos test, or a workflow") },
    options: {
      runs: number(1, "How many runs (default: what the file says, or 200; 20 with processes)"),
      seed: number(0, "Which schedules: the same ones for the same seed"),
      processes: flag("Run each in processes of their own, which are really killed"),
      workers: flag("The same, with two workers at a store on a server: see docs/many-machines.md"),
      replay: text("FILE", "Play only this schedule, as an earlier report named it"),
      report: text(
        "DIR",
        "Where report.md, report.json and the schedules go (default: .cairn/chaos/WORKFLOW)",
      ),
    },
    details:
      "Every run has its own copy of the project, without .git, .cairn and node_modules, which is linked. Agents are stand-ins unless the file says agents: as-written; all other commands really run, so keep those that reach the outside away from it. Status: 0 if all invariants hold, 1 if one broke or nothing could be tried. More: docs/chaos.md",
    result: () => REPORT,
    tool: FEW_TOOLS,
    page: NOT_ASKED,
  },
} as const satisfies Record<string, VerbEntry>;

export type ChaosCommand = CommandFunction<(typeof ENTRIES)["chaos"]>;

export const VERBS: readonly VerbTable[] = [
  {
    group: "workflows",
    entries: ENTRIES,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];
