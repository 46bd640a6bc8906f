import { saidHere } from "../../checkpoints/imported-marks.ts";
import { textOf } from "../../text/untrusted.ts";
import { oneLine, visible } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit, meaningful } from "../edit.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Say what the work is for, or show it */
export async function goal(
  context: Context,
  options: OptionsOf<typeof WORK.goal>,
  output: Output,
): Promise<void> {
  const { text, doneWhen } = options;
  if (text === undefined && doneWhen.length === 0) return show(context, options, output);
  const criteria = doneWhen.map((criterion) => meaningful(criterion, "--done-when"));
  const { checkpoint, state } = await edit(context, options, output, {
    fresh: {
      ...(text === undefined ? {} : { goal: meaningful(text, "The goal") }),
      success_criteria: criteria,
    },
    change: (state, { goal, success_criteria }) => {
      // A new goal has its own criteria; without one, they are added to those of the old.
      if (goal !== undefined) state.goal = goal;
      saidHere(state, [goal, ...success_criteria]);
      state.success_criteria =
        goal === undefined ? [...state.success_criteria, ...success_criteria] : success_criteria;
    },
  });
  output.result(
    { checkpoint, goal: state.goal ?? null, success_criteria: state.success_criteria },
    `Goal: ${oneLine(state.goal ?? "")}`,
  );
}

async function show(context: Context, options: OptionsOf<typeof WORK.goal>, output: Output): Promise<void> {
  const { trail } = await openToRead(context, options, output);
  const { state } = await trail.load();
  const found = textOf(state, "goal");
  if (found === undefined) output.message('No goal yet: checkpoint goal "…" sets it.');
  const criteria = state.success_criteria ?? [];
  const lines = [found, ...criteria.map((criterion) => `done when: ${criterion}`)].filter(
    (line) => line !== undefined,
  );
  output.result(
    { checkpoint: null, goal: found ?? null, success_criteria: criteria },
    visible(lines.join("\n")),
  );
}
