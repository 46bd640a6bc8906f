import { CheckpointError } from "../../../core/errors.ts";
import type { Json } from "../../../core/objects/json.ts";
import type { Project } from "../../../work/project/project.ts";
import { refusePulled } from "../../../work/project/trust.ts";
import { elsewhereOf } from "../elsewhere.ts";
import { sendSignal } from "../runner/send-signal.ts";
import { openRun } from "./open-runs.ts";
import { outcomeOf } from "./run-outcome.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import type { WORKFLOWS } from "../verbs.ts";

/** Sends a signal to a run. Secrets in its data are taken out: use a secret input for those. */
export async function runSignal(
  project: Project,
  { run: typed, name, data, id }: InputOf<(typeof WORKFLOWS)["signal"]>,
) {
  const value = data === undefined ? null : dataOf(data);
  const { workflows, id: found } = await openRun(project, typed, "write");
  await refusePulled(workflows, found);
  const clean = workflows.redactor?.redact(value) ?? { value, findings: [] };
  if (clean.findings.length > 0) project.notices.warning("Secrets in the data were taken out.");
  const { run, isNew } = await sendSignal(workflows, found, { name, data: clean.value, id });
  if (isNew) await (await elsewhereOf(project))?.move(workflows, run);
  return { run: outcomeOf(workflows, run), signal: name, is_new: isNew };
}

function dataOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new CheckpointError("usage", `The data is not JSON: "${text.slice(0, 100)}".`, {
      hint: `--data '{"amount": 12}', or a text in its own quotes: --data '"paid"'`,
    });
  }
}
