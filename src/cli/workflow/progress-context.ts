import { createRedactor } from "../../redaction/redactor.ts";
import type { ProgressContext } from "../../workflow/progress/note-progress.ts";
import type { Context } from "../context.ts";
import { openToWrite, type OpenedToWrite } from "../open.ts";
import type { Output } from "../output.ts";

/** Opens the store for progress files. What agents wrote by hand is searched for secrets before it is stored. */
export async function openProgress(
  context: Context,
  output: Output,
): Promise<ProgressContext & Pick<OpenedToWrite, "settings">> {
  const { cairn, root, settings } = await openToWrite(context, { mayBeRun: true }, output);
  const redactor = createRedactor({ extraPatterns: settings.redact, allow: settings.redact_allow });
  return { cairn, root, now: context.now, redactor, settings };
}
