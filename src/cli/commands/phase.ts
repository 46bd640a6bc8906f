import * as verbs from "../../project/work/phase.ts";
import type { CommandOf } from "../command.ts";
import type { WORK } from "../table/work.ts";

/** Start a phase */
export const phaseStart: CommandOf<(typeof WORK)["phase start"]> = async (context, options, output) => {
  const result = await verbs.phaseStart(context.project, options);
  output.result(result, `Started ${verbs.phaseWords(result.phase)}.`);
};

/** Finish the current phase */
export const phaseComplete: CommandOf<(typeof WORK)["phase complete"]> = async (context, options, output) => {
  const result = await verbs.phaseComplete(context.project, options);
  output.result(result, `Completed ${verbs.phaseWords(result.phase)}.`);
};

/** Say that the current phase failed */
export const phaseFail: CommandOf<(typeof WORK)["phase fail"]> = async (context, options, output) => {
  const result = await verbs.phaseFail(context.project, options);
  output.result(result, `${verbs.phaseAtStart(result.phase)} failed.`);
};
