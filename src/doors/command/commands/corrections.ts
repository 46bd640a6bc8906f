import * as verbs from "../../../work/project/work/entries.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { brokenLines } from "../../../work/terminal/layout.ts";
import { entryText, numberedLines } from "../../../work/terminal/work-state.ts";
import { count } from "../../../work/state/words.ts";

export const constraintList: CommandOf<"constraint list"> = async ({ project }, options, output) => {
  const constraints = await verbs.constraintList(project, options);
  if (constraints.length === 0) output.message('No rules: checkpoint rule "…" adds one.');
  output.result({ constraints }, () => brokenLines(numberedLines(constraints), output.columns));
};

export const decisionList: CommandOf<"decision list"> = async ({ project }, options, output) => {
  const decisions = await verbs.decisionList(project, options);
  if (decisions.length === 0) output.message('No decisions: checkpoint decide "…" records one.');
  output.result({ decisions }, () => brokenLines(numberedLines(decisions), output.columns));
};

export const constraintEdit: CommandOf<"constraint edit"> = async ({ project }, options, output) => {
  const result = await verbs.constraintEdit(project, options);
  if (result.checkpoint === null) output.message("It already says that; nothing was changed.");
  output.result(result, `Rule ${result.number}: ${oneLine(result.constraint.text)}`);
};

export const decisionEdit: CommandOf<"decision edit"> = async ({ project }, options, output) => {
  const result = await verbs.decisionEdit(project, options);
  if (result.checkpoint === null) output.message("It already says that; nothing was changed.");
  output.result(result, `Decision ${result.number}: ${entryText(result.decision)}`);
};

export const constraintRemove: CommandOf<"constraint remove"> = async ({ project }, options, output) =>
  report(await verbs.constraintRemove(project, options), "rule", output);

export const decisionRemove: CommandOf<"decision remove"> = async ({ project }, options, output) =>
  report(await verbs.decisionRemove(project, options), "decision", output);

function report(
  result: Awaited<ReturnType<typeof verbs.constraintRemove | typeof verbs.decisionRemove>>,
  noun: string,
  output: Output,
): void {
  const rest = `${count(result.left, noun)} left. checkpoint undo reverts this.`;
  output.result(result, `Removed: ${entryText(result.removed)}\n${rest}`);
}
