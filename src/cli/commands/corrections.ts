import * as verbs from "../../project/work/corrections.ts";
import { asText, describe, textOf } from "../../text/untrusted.ts";
import { oneLine } from "../../text/visible.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../output.ts";
import type { CORRECTIONS } from "../table/corrections.ts";
import { count } from "../view/words.ts";

/** List the rules, with their numbers */
export const constraintList: CommandOf<(typeof CORRECTIONS)["constraint list"]> = async (
  { project },
  options,
  output,
) => {
  const constraints = await verbs.constraintList(project, options);
  if (constraints.length === 0) output.message('No rules yet: checkpoint constraint "…" adds one.');
  output.result({ constraints }, () => numbered(constraints));
};

/** List the decisions, with their numbers */
export const decisionList: CommandOf<(typeof CORRECTIONS)["decision list"]> = async (
  { project },
  options,
  output,
) => {
  const decisions = await verbs.decisionList(project, options);
  if (decisions.length === 0) output.message('No decisions yet: checkpoint decide "…" records one.');
  output.result({ decisions }, () => numbered(decisions));
};

/** Word a rule anew */
export const constraintEdit: CommandOf<(typeof CORRECTIONS)["constraint edit"]> = async (
  { project },
  options,
  output,
) => {
  const result = await verbs.constraintEdit(project, options);
  output.result(result, `Rule ${result.number}: ${oneLine(result.constraint.text)}`);
};

/** Word a decision or its reason anew */
export const decisionEdit: CommandOf<(typeof CORRECTIONS)["decision edit"]> = async (
  { project },
  options,
  output,
) => {
  const { trail, which, text: what, why } = options;
  const result = await verbs.decisionEdit(project, { trail, which, what, why });
  output.result(result, `Decision ${result.number}: ${sentence(result.decision)}`);
};

/** Take a rule away */
export const constraintRemove: CommandOf<(typeof CORRECTIONS)["constraint remove"]> = async (
  { project },
  options,
  output,
) => report(await verbs.constraintRemove(project, options), "rule", output);

/** Take a decision away */
export const decisionRemove: CommandOf<(typeof CORRECTIONS)["decision remove"]> = async (
  { project },
  options,
  output,
) => report(await verbs.decisionRemove(project, options), "decision", output);

function report(result: verbs.RemoveEntryResult, noun: string, output: Output): void {
  const rest = `${count(result.left, noun)} left. checkpoint undo takes this back.`;
  output.result(result, `Removed: ${sentence(result.removed)}\n${rest}`);
}

const numbered = (entries: readonly unknown[]) =>
  entries.map((entry, index) => `${index + 1}  ${sentence(entry)}`).join("\n");

function sentence(entry: unknown): string {
  const why = textOf(entry, "why");
  const what = asText(entry) ?? textOf(entry, "text", "what") ?? describe(entry, 200);
  return oneLine(why === undefined ? what : `${what} (${why})`);
}
