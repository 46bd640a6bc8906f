import * as verbs from "../../project/work/phase.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Start a phase */
export async function phaseStart(
  context: Context,
  options: OptionsOf<(typeof WORK)["phase start"]>,
  output: Output,
): Promise<void> {
  const result = await verbs.phaseStart(projectOf(context, options, output), options);
  output.result(result, `Started ${verbs.phaseWords(result.phase)}.`);
}

/** Finish the current phase */
export async function phaseComplete(
  context: Context,
  options: OptionsOf<(typeof WORK)["phase complete"]>,
  output: Output,
): Promise<void> {
  const result = await verbs.phaseComplete(projectOf(context, options, output), options);
  output.result(result, `Completed ${verbs.phaseWords(result.phase)}.`);
}

/** Say that the current phase failed */
export async function phaseFail(
  context: Context,
  options: OptionsOf<(typeof WORK)["phase fail"]>,
  output: Output,
): Promise<void> {
  const result = await verbs.phaseFail(projectOf(context, options, output), options);
  output.result(result, `${verbs.phaseAtStart(result.phase)} failed.`);
}
