import { asText, describe } from "../../../core/text/untrusted.ts";
import { clip, oneLine, visible } from "../../../core/text/visible.ts";
import type { Json } from "../../../core/objects/json.ts";
import * as entries from "../../../work/project/work/entries.ts";
import * as goals from "../../../work/project/work/goal.ts";
import * as outputs from "../../../work/project/work/outputs.ts";
import { unsetVariable } from "../../../work/project/work/variables.ts";
import type { CommandOf } from "../command.ts";

export const goal: CommandOf<"goal"> = async (context, options, output) => {
  const result = await goals.goal(context.project, options);
  if (result.goal === null) output.message('No goal yet: checkpoint goal "…" sets it.');
  output.result(result, result.checkpoint === null ? shown(result) : `Goal: ${oneLine(result.goal ?? "")}`);
};

function shown({ goal: found, success_criteria }: goals.GoalResult): string {
  const criteria = success_criteria.map((criterion) => `done when: ${criterion}`);
  return visible([...(found === null ? [] : [found]), ...criteria].join("\n"));
}

export const next: CommandOf<"next"> = async (context, options, output) => {
  const result = await goals.next(context.project, options);
  const { checkpoint, next_action } = result;
  if (next_action === null) output.message('No next action yet: checkpoint next "…" sets it.');
  output.result(
    result,
    checkpoint === null ? visible(next_action ?? "") : `Next: ${oneLine(next_action ?? "")}`,
  );
};

export const constraint: CommandOf<"constraint"> = async (context, options, output) => {
  const { number, ...result } = await entries.constraint(context.project, options);
  output.result(result, `Rule ${number}: ${oneLine(result.constraint.text)}`);
};

export const outputAdd: CommandOf<"output add"> = async (context, options, output) => {
  const { trail, type, id, action, failed } = options;
  const result = await outputs.outputAdd(context.project, { trail, type, id, action, success: !failed });
  const { output: added } = result;
  const what = oneLine([added.type, added.id].join(" "));
  const how = added.action === "" ? "" : oneLine(` (${added.action})`);
  output.result(result, `${added.success ? "Recorded" : "Recorded as failed"}: ${what}${how}`);
};

export const unset: CommandOf<"unset"> = async (context, options, output) => {
  const result = await unsetVariable(context.project, options);
  output.result(result, oneLine(`${result.key} is gone (was ${inWords(result.value)})`));
};

function inWords(value: Json): string {
  return clip(asText(value) ?? describe(value, 200), 200);
}
