import * as verbs from "../../project/work/corrections.ts";
import { asText, describe, textOf } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../output.ts";
import { brokenLines } from "../view/layout.ts";
import { count } from "../../text/words.ts";

export const constraintList: CommandOf<"constraint list"> = async ({ project }, options, output) => {
  const constraints = await verbs.constraintList(project, options);
  if (constraints.length === 0) output.message('No rules: checkpoint constraint "…" adds one.');
  output.result({ constraints }, () => numbered(constraints, output));
};

export const decisionList: CommandOf<"decision list"> = async ({ project }, options, output) => {
  const decisions = await verbs.decisionList(project, options);
  if (decisions.length === 0) output.message('No decisions: checkpoint decide "…" records one.');
  output.result({ decisions }, () => numbered(decisions, output));
};

export const constraintEdit: CommandOf<"constraint edit"> = async ({ project }, options, output) => {
  const result = await verbs.constraintEdit(project, options);
  if (result.checkpoint === null) output.message("It already says that; nothing was changed.");
  output.result(result, `Rule ${result.number}: ${oneLine(result.constraint.text)}`);
};

export const decisionEdit: CommandOf<"decision edit"> = async ({ project }, options, output) => {
  const { trail, which, text: what, why } = options;
  const result = await verbs.decisionEdit(project, { trail, which, what, why });
  if (result.checkpoint === null) output.message("It already says that; nothing was changed.");
  output.result(result, `Decision ${result.number}: ${sentence(result.decision)}`);
};

export const constraintRemove: CommandOf<"constraint remove"> = async ({ project }, options, output) =>
  report(await verbs.constraintRemove(project, options), "rule", output);

export const decisionRemove: CommandOf<"decision remove"> = async ({ project }, options, output) =>
  report(await verbs.decisionRemove(project, options), "decision", output);

function report(result: verbs.RemoveEntryResult, noun: string, output: Output): void {
  const rest = `${count(result.left, noun)} left. checkpoint undo reverts this.`;
  output.result(result, `Removed: ${sentence(result.removed)}\n${rest}`);
}

const numbered = (entries: readonly unknown[], { columns }: Output) =>
  brokenLines(
    entries.map((entry, index) => `${index + 1}  ${sentence(entry)}`),
    columns,
  );

function sentence(entry: unknown): string {
  const why = textOf(entry, "why");
  const what = asText(entry) ?? textOf(entry, "text", "what") ?? describe(entry, 200);
  return oneLine(why === undefined ? what : `${what} (${why})`);
}
