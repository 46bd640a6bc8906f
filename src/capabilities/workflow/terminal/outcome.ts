import { join } from "node:path";
import type { RunOutcome } from "../verbs/run-outcome.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { Output, Style } from "../../../work/terminal/output.ts";
import { commandList } from "../../../work/terminal/command-list.ts";
import { indented, optionWords } from "./event-line.ts";
import { staleText } from "./plan.ts";
import { statusText } from "../../../work/terminal/signs.ts";
import { count } from "../../../work/state/words.ts";

export function outcomeHead({ run_id, status, completed, total }: RunOutcome, style: Style): string {
  return `${style.bold(oneLine(run_id))}  ${statusText(status, style)}  ${completed} of ${count(total, "step")}`;
}

/** `isSeen`: the reader has just watched the failures happen on the same terminal. */
export function outcomeText(outcome: RunOutcome, output: Output, { isSeen }: { isSeen: boolean }): string {
  const { style } = output;
  const { status, questions, failed, stale_files } = outcome;
  const isSaid = failed.length > 0 || outcome.reason === null || status === "completed";
  return [
    outcomeHead(outcome, style),
    ...(isSaid ? [] : [indented(outcome.reason ?? "")]),
    ...failed.flatMap(({ step, reason, output: folder, logs }) => [
      ...(isSeen ? [] : [`${style.red("[!]")} ${oneLine(step)}  ${indented(reason)}`]),
      ...(logs === ""
        ? []
        : [style.dim(`    full output: ${oneLine(folder === "" ? logs : join(folder, "/"))}`)]),
    ]),
    ...questions.flatMap(({ step, question, options, files }) => [
      `${style.yellow("[?]")} ${oneLine(step)}  ${oneLine(question)}${optionWords(options)}`,
      ...(files.length === 0 ? [] : [style.dim(`    to review: ${files.map(oneLine).join(", ")}`)]),
    ]),
    ...(stale_files.length === 0 ? [] : [style.dim(staleText(stale_files))]),
    "",
    commandList(outcome.go_on, output, status === "completed" ? "To see more" : undefined),
  ].join("\n");
}
