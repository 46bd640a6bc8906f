import { oneLine } from "../../text/visible.ts";
import type { Step, Workflow } from "../../workflow/definition/types.ts";
import type { ResumeVerdict } from "../../workflow/run/resume-check.ts";
import { resumePlanOf, type PlannedStep, type ResumePlan } from "../../workflow/run/resume-plan.ts";
import { fit, table, widthOf } from "../columns.ts";
import type { Output } from "../output.ts";
import type { Style } from "../style.ts";
import { count } from "../view/words.ts";
import { commandText } from "./confirm-trust.ts";

/** What would be done, and why: of a run that could go on, or of one that does not exist yet. */
export interface Plan extends Omit<ResumePlan, "run_id"> {
  readonly run_id: string | null;
  readonly gate: ResumeVerdict | null;
  /** Files of results that would be dropped. */
  readonly stale_files: readonly string[];
}

/** What a new run of a workflow would do. */
export function freshPlan(
  { name, steps }: Workflow,
  inputs: Readonly<Record<string, string>>,
  now: Date,
): Plan {
  const at = now.toISOString();
  const plan = resumePlanOf({
    id: name,
    workflow: name,
    status: "pending",
    epoch: 0,
    created_at: at,
    updated_at: at,
    inputs,
    secret_inputs: [],
    jobs: 1,
    definition: steps,
    steps: [],
    artifacts: {},
    crashes: 0,
  });
  return { ...plan, run_id: null, gate: null, stale_files: [] };
}

export function planText(plan: Plan, definition: readonly Step[], output: Output): string {
  const { style, columns } = output;
  const done = `${plan.completed.length} of ${count(plan.steps.length, "step")} done (${plan.progress_percentage} %)`;
  const head =
    plan.run_id === null
      ? `A new run of ${style.bold(oneLine(plan.workflow_id))} would do ${count(plan.steps.length, "step")}:`
      : `${style.bold(oneLine(plan.run_id))}  ${done}`;
  const byId = new Map(definition.map((step) => [step.id, step]));
  const widest = Math.max(0, ...plan.steps.map(({ id }) => widthOf(oneLine(id))));
  const room = columns && Math.max(16, columns - widest - SIGN_AND_GAPS - MIN_COMMAND);
  const rows = plan.steps.map((step) =>
    planRow(step, byId.get(step.id), { style, isFresh: plan.run_id === null, room }),
  );
  const stale = plan.stale_files.length === 0 ? [] : [style.dim(staleText(plan.stale_files))];
  return [head, table(rows, columns), ...stale, ...gateText(plan, style)].join("\n");
}

interface RowOptions {
  readonly style: Style;
  readonly isFresh: boolean;
  /** Columns for why a step runs or waits. */
  readonly room: number | undefined;
}

/** `[>] `, and what is between columns. */
const SIGN_AND_GAPS = 8;
const MIN_COMMAND = 16;

function planRow(
  { id, action, reason }: PlannedStep,
  step: Step | undefined,
  { style, isFresh, room }: RowOptions,
): string[] {
  const isOpen = action !== "keep";
  const asks = step?.kind === "approval" && isOpen;
  const isWaiting = action === "wait" && step !== undefined;
  const after = isWaiting ? `after ${step.needs.join(", ")}` : isFresh ? "at once" : reason;
  const what = !isOpen ? "" : asks ? `asks: ${step.question ?? id}` : commandOf(step);
  const sign = asks ? style.yellow("[?]") : SIGNS[action](style);
  return [`${sign} ${oneLine(id)}`, fit(oneLine(after), room), oneLine(what)];
}

const SIGNS: Readonly<Record<PlannedStep["action"], (style: Style) => string>> = {
  keep: ({ green }) => green("[x]"),
  run: ({ cyan }) => cyan("[>]"),
  look: ({ cyan }) => cyan("[>]"),
  ask: ({ yellow }) => yellow("[?]"),
  wait: () => "[ ]",
};

function commandOf(step: Step | undefined): string {
  if (step?.run !== undefined) return commandText(step.run);
  return step?.kind === "function" ? "a function of its program" : "";
}

export const staleText = (files: readonly string[]) =>
  `Left over from the line it was forked from: ${files.map(oneLine).join(", ")}`;

const VERDICTS: Readonly<Record<ResumeVerdict["verdict"], (style: Style) => string>> = {
  resume: ({ green }) => green("It can go on."),
  "resume with warnings": ({ yellow }) => yellow("It can go on, but:"),
  "re-plan": ({ red }) => red("It cannot simply go on:"),
};

function gateText({ gate, status }: Plan, style: Style): string[] {
  if (gate === null) return [];
  if (status === "completed") return ["", style.green("It is completed: there is nothing to do.")];
  const findings = gate.findings.flatMap(({ message, remedy }) => [
    `  ${oneLine(message)}`,
    style.dim(`    ${oneLine(remedy)}`),
  ]);
  return ["", VERDICTS[gate.verdict](style), ...findings];
}
