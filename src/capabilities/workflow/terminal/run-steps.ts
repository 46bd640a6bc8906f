import { commandText } from "../verbs/run-trust.ts";
import { decisionWords, identityWords, reviewWords } from "../../../work/state/run-words.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import type { Step } from "../definition/types.ts";
import { isMet, stateOf, type Run, type StepState } from "../run/run-state.ts";
import type { RunSummary } from "../runner/find-runs.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { Output, Style } from "../../../work/terminal/output.ts";
import { statusSign } from "../../../work/terminal/signs.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";

/** How far the caller indents the lines. */
const INDENT = 2;

/** More steps than these are folded, unless all are asked for: the ones in the middle of the work stay. */
const MANY = 40;

export interface StepsView {
  readonly status: RunSummary["status"];
  readonly now: Date;
  readonly all: boolean;
  readonly commands: boolean;
  readonly output: Output;
}

/** One line for each step: its sign, its name, and what there is to know. Joins of nothing but steps are left out. */
export function stepLines(run: Run, view: StepsView): string[] {
  const steps = run.definition.filter((step) => step.kind !== "join" || step.review !== undefined);
  const shown = view.all || steps.length <= MANY ? steps : interesting(run, steps);
  const rows = shown.map((step) => row(run, step, view));
  const room = view.output.columns === undefined ? undefined : view.output.columns - INDENT;
  const lines = rows.length === 0 ? [] : table(rows, room).split("\n");
  const withCommands = view.commands
    ? lines.flatMap((line, index) => [line, ...commandLines(shown[index] as Step, view.output.style)])
    : lines;
  const left = steps.length - shown.length;
  return left === 0
    ? withCommands
    : [...withCommands, view.output.style.dim(`+ ${count(left, "more step")}: --all`)];
}

/** The steps around the first open one, and all that run or went wrong. */
function interesting(run: Run, steps: readonly Step[]): Step[] {
  const isPlain = (step: Step) => ["completed", "skipped", "pending"].includes(stateOf(run, step.id).status);
  const first = steps.findIndex((step) => !isMet(step, stateOf(run, step.id)));
  const around = first < 0 ? steps.length - MANY : Math.max(0, first - MANY / 2);
  const window = new Set(steps.slice(around, around + MANY));
  return steps.filter((step) => window.has(step) || !isPlain(step)).slice(0, 2 * MANY);
}

function row(run: Run, step: Step, view: StepsView): string[] {
  const { style } = view.output;
  const state = stateOf(run, step.id);
  const agent =
    step.agent === undefined || step.agent === step.id ? "" : ` ${style.dim(`@${oneLine(step.agent)}`)}`;
  return [
    `${statusSign(state.status, style)} ${oneLine(step.id)}${agent}`,
    facts(run, step, view).join(", "),
  ];
}

/** When a question was answered, and how the name is known. */
function answered({ decision }: StepState, { now }: StepsView): string[] {
  return decision === undefined ? [] : [`${identityWords(decision)}, ${ago(decision.at, now)}`];
}

function facts(run: Run, step: Step, view: StepsView): string[] {
  const state = stateOf(run, step.id);
  const attempt = state.attempt > 1 ? [`attempt ${state.attempt}`] : [];
  const crashes = state.crashes > 0 ? [count(state.crashes, "crash", "crashes")] : [];
  const reason = oneLine((state.reason ?? "").split("\n")[0] ?? "");
  switch (state.status) {
    case "completed":
      return [
        ...(state.decision === undefined
          ? []
          : [oneLine(decisionWords(state.decision)), ...answered(state, view)]),
        ...(step.review === undefined ? [] : [oneLine(reviewWords(step, state.result))]),
        ...(step.kind === "command" || step.kind === "function" ? durationFacts(state) : []),
        ...attempt,
        ...crashes,
        ...(state.adopted ? ["result found after a crash"] : []),
      ];
    case "running":
      return [
        view.status === "interrupted"
          ? "was running when its runner died"
          : `started ${ago(state.started_at ?? "", view.now)}`,
        `attempt ${state.attempt}`,
        ...crashes,
      ];
    case "awaiting_approval":
      return [oneLine(step.question ?? "waits for a decision")];
    case "failed":
      return [...attempt, reason, ...answered(state, view)].filter((fact) => fact !== "");
    case "waiting":
      return [...attempt, `will be retried: ${reason}`];
    case "skipped":
      return [`skipped: ${reason}`];
    case "pending":
      break;
  }
  return [reason === "" ? pendingFact(run, step, view) : reason].filter((fact) => fact !== "");
}

function pendingFact(run: Run, step: Step, { status }: StepsView): string {
  const steps = new Map(run.definition.map((other) => [other.id, other]));
  const open = step.needs.filter((need) => {
    const needed = steps.get(need);
    return needed !== undefined && !isMet(needed, stateOf(run, need));
  });
  if (["cancelled", "archived", "completed"].includes(status)) return "";
  if (open.length === 0)
    return step.signal === undefined
      ? "comes next"
      : oneLine(`waits for a signal: checkpoint signal ${run.id} ${step.signal}`);
  return `after ${open.slice(0, 3).map(oneLine).join(", ")}${open.length > 3 ? ` + ${open.length - 3}` : ""}`;
}

function durationFacts({ started_at, ended_at }: StepState): string[] {
  const ms = Date.parse(ended_at ?? "") - Date.parse(started_at ?? "");
  return Number.isNaN(ms) ? [] : [formatDuration(ms)];
}

function commandLines({ run, verify, env }: Step, style: Style): string[] {
  return [
    ...Object.entries(env ?? {}).map(
      ([name, value]) => `    ${style.dim("env")}     ${oneLine(`${name}=${value}`)}`,
    ),
    ...(run === undefined ? [] : [`    ${style.dim("run")}     ${commandText(run)}`]),
    ...(verify === undefined ? [] : [`    ${style.dim("verify")}  ${commandText(verify)}`]),
  ];
}
