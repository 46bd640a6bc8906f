import { oneLine, visible } from "../../text/visible.ts";
import * as verbs from "../../project/work/goal.ts";
import type { CommandOf } from "../command.ts";
import type { WORK } from "../table/work.ts";

/** Say what the work is for, or show it */
export const goal: CommandOf<typeof WORK.goal> = async (context, options, output) => {
  const { trail, text, doneWhen } = options;
  const result = await verbs.goal(context.project, {
    trail,
    goal: text,
    done_when: doneWhen,
  });
  if (result.goal === null) output.message('No goal yet: checkpoint goal "…" sets it.');
  output.result(result, result.checkpoint === null ? shown(result) : `Goal: ${oneLine(result.goal ?? "")}`);
};

function shown({ goal: found, success_criteria }: verbs.GoalResult): string {
  const criteria = success_criteria.map((criterion) => `done when: ${criterion}`);
  return visible([...(found === null ? [] : [found]), ...criteria].join("\n"));
}
