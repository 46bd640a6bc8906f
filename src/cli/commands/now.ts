import { startLooking } from "../../capture/look.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { findProject } from "../project.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";

/** Save a checkpoint of where the work stands */
export async function now(
  context: Context,
  options: OptionsOf<typeof SAVING.now>,
  output: Output,
): Promise<void> {
  const project = findProject(context);
  const looking = startLooking(context, project, (text) => output.warning(text));
  // Git takes the longest, so it is started before anything else is even loaded.
  const { saveNow } = await import("../save-now.ts");
  await saveNow(context, options, { looking, output });
}
