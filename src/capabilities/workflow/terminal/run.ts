import { progressBar } from "../../../work/terminal/progress-bar.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";
import type { Run, RunnerIdentity } from "../run/run-state.ts";
import type { RunSummary } from "../runner/find-runs.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { RunReport } from "../verbs/run-report.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { artifactRow } from "./artifacts.ts";
import { commandList } from "../../../work/terminal/command-list.ts";
import { indented } from "./event-line.ts";
import { type Block, labelled, layOut, recorded } from "../../../work/terminal/layout.ts";
import { statusText } from "../../../work/terminal/signs.ts";
import { type StepsView, stepLines } from "./run-steps.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";

type RunScreenOptions = Omit<StepsView, "status">;

const FILES_SHOWN = 12;

/** A run on one screen: what it is, each step, its files, what stands in the way, and the next command. */
export function runText(view: RunReport, options: RunScreenOptions): string {
  const { run, summary, verdict, goOn } = view;
  const { output, now } = options;
  const { style } = output;
  const head = [
    style.bold(oneLine(run.id)),
    statusText(summary.status, style),
    bar(summary),
    style.dim(`moved ${ago(run.updated_at, now)}`),
  ].join("  ");
  const steps = stepLines(run, { ...options, status: summary.status });
  const parts = [
    head,
    layOut(blocks(view, options), output),
    section("Steps", steps, output),
    section("Files", fileLines(run, options), output),
    section("Before it can resume", verdictLines(verdict, output), output),
    goOn.length > 0
      ? commandList(goOn, output, summary.status === "completed" ? "To see more" : undefined)
      : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** `[##########----------] 4 of 8 steps` */
function bar({ completed, total, percent }: RunSummary): string {
  return `${progressBar(percent / 100)} ${completed} of ${count(total, "step")}, ${percent} %`;
}

function blocks({ run, summary, whyWaiting, outputs }: RunReport, { now }: RunScreenOptions): Block[] {
  const { runner, forked_from: fork } = run;
  const inputs = Object.entries(run.inputs).map(([name, value]) => oneLine(`${name}: ${value}`));
  const secrets = run.secret_inputs.map((name) => {
    const isDefault = run.secret_defaults?.includes(name);
    return `${oneLine(name)}: (secret, ${isDefault ? "the default of the workflow" : "asked for at every resume"})`;
  });
  const isReasonOpen = !["completed", "awaiting_approval", "running"].includes(summary.status);
  return [
    { label: "Request", lines: run.request === undefined ? [] : recorded(run.request) },
    labelled("Workflow", oneLine(`${run.workflow}${run.file === undefined ? "" : `, from ${run.file}`}`)),
    labelled("Started", ago(run.created_at, now)),
    { label: "Inputs", lines: [...inputs, ...secrets] },
    labelled("Forked", fork && oneLine(`from ${fork.run}${fork.step ? `, after ${fork.step}` : ""}`)),
    labelled("Runner", summary.status === "running" ? runner && runnerWords(runner, now) : undefined),
    labelled("Archived", run.archived_as && `as ${oneLine(run.archived_as)}`),
    labelled("Waits for", run.waits_for && oneLine(run.waits_for)),
    { label: "Waits", lines: whyWaiting === null ? [] : indented(whyWaiting).split("\n") },
    { label: "Why", lines: isReasonOpen && run.reason ? indented(run.reason).split("\n") : [] },
    { label: "Printed", lines: outputs },
  ];
}

function runnerWords({ pid, host, since }: RunnerIdentity, now: Date): string {
  return `process ${pid} on ${oneLine(host)}, started ${ago(since, now)}`;
}

function section(title: string, lines: readonly string[], { style }: Output): string {
  return lines.length === 0 ? "" : [style.bold(title), ...lines.map((line) => `  ${line}`)].join("\n");
}

function fileLines(run: Run, { output, all }: RunScreenOptions): string[] {
  const { style, columns } = output;
  const files = Object.values(run.artifacts);
  const shown = all ? files : files.slice(0, FILES_SHOWN);
  const rows = shown.map((artifact) => artifactRow(artifact, style));
  const stale = (run.stale_files ?? []).map((path) => `${style.yellow("stale:")} ${oneLine(path)}`);
  return [
    ...(rows.length > 0 ? table(rows, columns && columns - 2).split("\n") : []),
    ...(files.length > shown.length
      ? [style.dim(`+ ${files.length - shown.length} more: checkpoint artifacts ${run.id}`)]
      : []),
    ...stale,
  ];
}

function verdictLines(verdict: ResumeVerdict | null, { style }: Output): string[] {
  return (verdict?.findings ?? []).flatMap(({ severity, message, remedy }) => [
    `${severity === "blocker" ? style.red("must be fixed:") : style.yellow("note:")} ${oneLine(message)}`,
    `  ${style.dim(oneLine(remedy))}`,
  ]);
}
