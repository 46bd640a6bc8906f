import { resolve } from "node:path";
import { recordedPath } from "../../../work/machine/recorded-path.ts";
import * as verbs from "../verbs/artifacts.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { ArtifactList, ListedArtifact } from "../runner/list-artifacts.ts";
import type { WorkflowCommand } from "../verbs.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { artifactRow } from "../terminal/artifacts.ts";
import { count } from "../../../work/state/words.ts";

/** The status with which the resume check reports missing and changed files. */
const NEEDS_DECISION = 6;

export const artifacts: WorkflowCommand<"artifacts"> = async (context, options, output) => {
  const { verify } = options;
  const found = await verbs.artifacts(context.project, options);
  const wrong = found.artifacts.filter(isWrong);
  if (found.artifacts.length === 0) output.message(`The steps of ${found.run} have not produced any files.`);
  output.result({ ...found, verified: verify, ok: verify ? wrong.length === 0 : null }, () =>
    text(found, verify, output),
  );
  return wrong.length > 0 ? NEEDS_DECISION : 0;
};

export const artifactsAdd: WorkflowCommand<"artifacts add"> = async (context, options, output) => {
  const { project, cwd } = context;
  const { run, step, files: typed } = options;
  const files = typed.map((file) => recordedPath(project.root, resolve(cwd, file)));
  const result = await verbs.artifactsAdd(project, { run, step, files });
  const rows = result.artifacts.map((artifact) => artifactRow(artifact, output.style));
  output.result(result, () => table(rows, output.columns));
};

const isWrong = ({ state }: ListedArtifact) => state === "missing" || state === "changed";

function text({ artifacts, stale_files }: ArtifactList, verify: boolean, output: Output): string {
  const { style } = output;
  const wrong = artifacts.filter(isWrong);
  const rows = artifacts.map(({ state, ...artifact }) => [
    ...(verify ? [state === "intact" ? style.green("intact") : style.red(state ?? "?")] : []),
    ...artifactRow(artifact, style),
  ]);
  const remedies = wrong.flatMap(({ path, state, step, remedy = "" }) => [
    `${style.red(state === "missing" ? "missing:" : "changed:")} ${oneLine(path)}, made by step ${oneLine(step)}`,
    `  restore it, or make it again: ${style.cyan(oneLine(remedy))}`,
  ]);
  const stale = stale_files.map(
    (path) => `${style.yellow("stale:")} ${oneLine(path)}, of a result that was dropped`,
  );
  const intact = artifacts.length - wrong.length;
  const verdict =
    verify && artifacts.length > 0 ? [`${count(intact, "file")} intact, ${wrong.length} not.`] : [];
  const listed = rows.length > 0 ? [table(rows, output.columns)] : [];
  return [...listed, ...remedies, ...stale, ...verdict].join("\n");
}
