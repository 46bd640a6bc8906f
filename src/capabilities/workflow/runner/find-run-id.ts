import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { RUN_TRAIL_PREFIX, runTrail } from "../../../work/state/run-trail.ts";
import { noRun, runIds } from "./examine-run.ts";

/**
 * The id of the run that a person means: a whole id, the beginning of only one, or the name of its trail. Rejects with
 * `not-found`, and with `usage` if it could be several.
 */
export async function findRunId(context: Pick<WorkflowContext, "cairn">, typed: string): Promise<string> {
  const text = typed.startsWith(RUN_TRAIL_PREFIX) ? typed.slice(RUN_TRAIL_PREFIX.length) : typed;
  if ((await context.cairn.store.head(runTrail(text))) !== undefined) return text;
  const matches = text === "" ? [] : await runIds(context, text);
  const [only, ...others] = matches;
  if (only === undefined) throw await noRun(context, text);
  if (others.length === 0) return only;
  const shown = `${matches.slice(0, 5).join(", ")}${matches.length > 5 ? " …" : ""}`;
  throw new CheckpointError("usage", `"${text}" could be ${matches.length} runs: ${shown}.`, {
    hint: "Type more of its name: checkpoint runs",
    details: { run: text, matches },
  });
}
