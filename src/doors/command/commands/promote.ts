import * as verbs from "../../../work/project/work/promote.ts";
import type { CommandOf } from "../command.ts";
import { entryText } from "../../../work/terminal/work-state.ts";

export const promote: CommandOf<"promote"> = async ({ project }, options, output) => {
  const result = await verbs.promote(project, options);
  if (result.checkpoint === null) output.message("It holds already; nothing was changed.");
  output.result(result, `Holds for the whole project: ${entryText(result.promoted)}`);
};
