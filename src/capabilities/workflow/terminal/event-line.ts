import { own } from "../../../core/text/untrusted.ts";
import { oneLine, visible } from "../../../core/text/visible.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import type { RunEvent } from "../run/events.ts";
import type { Style } from "../../../work/terminal/output.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";

/** The line that an event leaves behind. Undefined for what the result says anyway. */
export function eventLine(event: RunEvent, style: Style, now: Date): string | undefined {
  const { bold, dim, green, red, yellow, cyan } = style;
  switch (event.type) {
    case "run-started":
      return `${bold(oneLine(event.run))} starts: ${count(event.total, "step")}`;
    case "run-resumed":
      return [
        `${bold(oneLine(event.run))} resumes: ${event.completed} of ${count(event.total, "step")} done`,
        ...resumedLines(event, now).map((line) => dim(`    ${line}`)),
      ].join("\n");
    case "step-started":
      return `${cyan("[>]")} ${oneLine(event.step)}${startWords(event)}`;
    case "step-completed": {
      const files = event.artifacts.map(({ path }) => oneLine(path));
      const facts = [
        event.adopted ? "already done" : (verdictWords(event.result) ?? formatDuration(event.duration_ms)),
        ...(files.length > 3 ? [...files.slice(0, 2), count(files.length - 2, "more file")] : files),
      ];
      return `${green("[x]")} ${oneLine(event.step)}  ${dim(facts.join("  "))}`;
    }
    case "step-skipped":
      return `${dim("[-]")} ${oneLine(event.step)}  ${dim(`skipped: ${oneLine(event.reason)}`)}`;
    case "step-failed":
      return `${red("[!]")} ${oneLine(event.step)}  ${indented(event.reason)}${retryWords(event.retry_at, now)}`;
    case "step-interrupted":
      return `${yellow("[!]")} ${oneLine(event.step)}  ${indented(event.reason)}`;
    case "approval-asked":
      return `${yellow("[?]")} ${oneLine(event.step)}  ${oneLine(event.question)}${optionWords(event.options)}${againWords(event.reason)}`;
    case "approval-decided": {
      const option = event.option === null ? "" : `: ${oneLine(event.option)}`;
      const why = event.reason === null ? "" : `, because: ${oneLine(event.reason)}`;
      const sign = event.approved ? green("[x]") : red("[!]");
      const what = event.approved ? "approved" : "rejected";
      return `${sign} ${oneLine(event.step)}  ${what} by ${oneLine(event.by)}${option}${why}`;
    }
    case "run-ended":
      break;
  }
  return undefined;
}

/** What somebody needs to know who has not looked for a while. */
function resumedLines(
  { request, done, next, last_activity }: Extract<RunEvent, { type: "run-started" | "run-resumed" }>,
  now: Date,
): string[] {
  return [
    ...(request === null ? [] : [`request: ${oneLine(request)}`]),
    ...(done.length === 0 ? [] : [`done: ${someOf(done)}`]),
    ...(next.length === 0 ? [] : [`next: ${someOf(next)}`]),
    `last activity: ${ago(last_activity, now)}`,
  ];
}

const MOST_NAMED = 8;

function someOf(steps: readonly string[]): string {
  const more = steps.length > MOST_NAMED ? ` and ${steps.length - MOST_NAMED} more` : "";
  return `${steps.slice(0, MOST_NAMED).map(oneLine).join(", ")}${more}`;
}

/** How a review went: its result is nothing but that. */
function verdictWords(result: unknown): string | undefined {
  const [approved, dissent, abstained] = ["approved", "dissent", "abstained"].map((key) => own(result, key));
  if (!Array.isArray(approved) || !Array.isArray(dissent) || !Array.isArray(abstained)) return undefined;
  const parts = [
    `approved by ${approved.length}`,
    dissent.length > 0 && `${dissent.length} against`,
    abstained.length > 0 && `${abstained.length} abstained`,
  ];
  return parts.filter(Boolean).join(", ");
}

function startWords({ attempt, reattached }: Extract<RunEvent, { type: "step-started" }>): string {
  if (reattached) return "  still running";
  return attempt === 1 ? "" : `  attempt ${attempt}`;
}

function retryWords(retryAt: string | null, now: Date): string {
  if (retryAt === null) return "";
  const seconds = Math.ceil((Date.parse(retryAt) - now.getTime()) / 1000);
  return `\n    retrying ${seconds <= 0 ? "now" : `in ${formatDuration(seconds * 1000)}`}`;
}

/** A user who has answered a question before wants to know why it is asked again. */
const againWords = (reason: string | null) =>
  reason === null ? "" : `\n    asked again: ${oneLine(reason)}`;

export function optionWords(options: readonly string[]): string {
  return options.length === 0 ? "" : ` (${options.map(oneLine).join(", ")})`;
}

/** The last words of a command are the reason for most failures, but not all of them are wanted. */
const MAX_LINES = 8;

/** A reason of several lines: the first stays where it is, the last ones stand below it. */
export function indented(reason: string): string {
  const [first = "", ...rest] = visible(reason).trimEnd().split("\n");
  const shown = rest.length > MAX_LINES ? ["…", ...rest.slice(-MAX_LINES)] : rest;
  return [first, ...shown.map((line) => `    ${line}`)].join("\n");
}
