import { commandText } from "../verbs/run-trust.ts";
import type { RunPlan } from "../verbs/run-plan.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { Step } from "../definition/types.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";
import type { PlannedStep } from "../run/resume-plan.ts";
import type { SettledOrigin } from "../runner/settle-origin.ts";
import { fit, table, widthOf } from "../../../work/terminal/columns.ts";
import type { Output, Style } from "../../../work/terminal/output.ts";
import { brokenLines } from "../../../work/terminal/layout.ts";
import { statusSign } from "../../../work/terminal/signs.ts";
import { count } from "../../../work/state/words.ts";

export function planText(plan: RunPlan, definition: readonly Step[], output: Output): string {
  const { style, columns } = output;
  const isFresh = plan.run_id === null && plan.forked_from === null;
  const byId = new Map(definition.map((step) => [step.id, step]));
  const widest = Math.max(0, ...plan.steps.map(({ id }) => widthOf(oneLine(id))));
  const room = columns && Math.max(16, columns - widest - SIGN_AND_GAPS - MIN_COMMAND);
  const rows = plan.steps.map((step) => planRow(step, byId.get(step.id), { style, isFresh, room }));
  const stale = plan.stale_files.length === 0 ? [] : [style.dim(staleText(plan.stale_files))];
  return [
    brokenLines(planHead(plan, style), columns),
    table(rows, columns),
    ...stale,
    ...verdictLines(plan, style),
  ].join("\n");
}

function planHead(plan: RunPlan, { bold }: Style): string[] {
  const { run_id: run, forked_from: origin, workflow_id: workflow, completed } = plan;
  const steps = count(plan.steps.length, "step");
  const done = `${completed.length} of ${steps} done (${plan.progress_percentage} %)`;
  if (run !== null) return [`${bold(oneLine(run))}  ${done}`];
  if (origin === null) return [`A new run of ${bold(oneLine(workflow))} would do ${steps}:`];
  return [newRunText("would be a new run", bold(oneLine(origin)), plan.ends_origin ? "ended" : "over"), done];
}

/** Why going on from an earlier step makes a new run, and what becomes of the old one. */
export const newRunText = (isNew: string, origin: string, became: SettledOrigin) =>
  `This ${isNew}, forked from ${origin}: what that one did stays on record${ORIGINS[became](origin)}.`;

const ORIGINS: Readonly<Record<SettledOrigin, (origin: string) => string>> = {
  over: () => ", so it is not changed",
  ended: () => ", and what it had left to do is done here",
  driven: (origin) => `. It is still running, and so both continue. To end it: checkpoint cancel ${origin}`,
  "put aside": () => `. Its newest state is damaged: it is archived untouched (checkpoint runs --archived)`,
};

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
  const sign = statusSign(BECOMES[asks ? "ask" : action], style);
  return [`${sign} ${oneLine(id)}`, fit(oneLine(after), room), oneLine(what)];
}

/** What becomes of a step looks as it will look then. */
const BECOMES = {
  keep: "completed",
  run: "running",
  look: "running",
  ask: "awaiting_approval",
  wait: "pending",
} as const satisfies Record<PlannedStep["action"], string>;

function commandOf(step: Step | undefined): string {
  if (step?.run !== undefined) return commandText(step.run);
  return step?.kind === "function" ? "a function of its program" : "";
}

export const staleText = (files: readonly string[]) =>
  `Left over from the run it was forked from: ${files.map(oneLine).join(", ")}`;

const VERDICTS: Readonly<Record<ResumeVerdict["verdict"], (style: Style) => string>> = {
  resume: ({ green }) => green("It can resume."),
  "resume with warnings": ({ yellow }) => yellow("It can resume, but:"),
  "re-plan": ({ red }) => red("It cannot simply be resumed:"),
};

function verdictLines({ resume_check: verdict, status }: RunPlan, style: Style): string[] {
  if (verdict === null) return [];
  if (status === "completed") return ["", style.green("It is already completed: nothing to do.")];
  const findings = verdict.findings.flatMap(({ message, remedy }) => [
    `  ${oneLine(message)}`,
    style.dim(`    ${oneLine(remedy)}`),
  ]);
  return ["", VERDICTS[verdict.verdict](style), ...findings];
}
