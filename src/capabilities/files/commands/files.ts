import { CheckpointError } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";
import { isPath, pathInProject } from "./path-in-project.ts";
import type { FilesCommand } from "../verbs.ts";
import { nameThem } from "../rewind/plan.ts";
import { files as filesVerb } from "../verbs/files.ts";
import { unified } from "../moments/line-diff.ts";
import { filesDiff as diffVerb } from "../verbs/files-diff.ts";
import { filesLog as logVerb, filesShow as showVerb } from "../verbs/versions.ts";

const SIGNS = { added: "A", changed: "M", deleted: "D", unknown: "?" } as const;

export const files: FilesCommand<"files"> = async (context, _options, output) => {
  const result = await filesVerb(context.project);
  const { changes, repositories, unnamed, head } = result;
  if (repositories.length > 0)
    output.message(`Not covered: the repositories in ${repositories.map(oneLine).join(", ")}.`);
  if (unnamed > 0) output.message(`Not covered: ${count(unnamed, "file")} whose name is no text.`);
  const rows = changes.map(({ path, what, by, turn, tools, not_stored }) => [
    SIGNS[what],
    oneLine(path),
    [nameThem(by), turn === null ? "" : `turn ${turn}`].filter(Boolean).join(", "),
    not_stored === null ? oneLine(tools.join(", ")) : `not stored: ${not_stored}`,
  ]);
  const none = head === null ? "There are no files." : "No file differs from the last commit.";
  output.list(result, rows, none);
};

export const filesDiff: FilesCommand<"files diff"> = async (context, options, output) => {
  const words = [options.a, options.b].filter((word) => word !== undefined);
  const moments = words.filter((word) => !isPath(context, word));
  const paths = [...words.filter((word) => isPath(context, word)), options.path ?? []].flat();
  if (paths.length > 1)
    throw new CheckpointError("usage", "Give one path at most.", { hint: "checkpoint files diff --help" });
  const [a, b] = moments;
  const path = paths[0] === undefined ? undefined : pathInProject(context, paths[0]);
  const result = await diffVerb(context.project, { a, b, path });
  if (result.files.length === 0) output.message(`No file differs between ${result.from} and ${result.to}.`);
  if (!options.stat)
    return output.paged(result, () => result.files.map((file) => unified(file, output.style)).join("\n"));
  const rows = result.files.map(({ path: name, added, removed, note }) => [
    oneLine(name),
    added === null ? (note ?? "") : `${output.style.green(`+${added}`)} ${output.style.red(`-${removed}`)}`,
  ]);
  output.list(result, rows, "");
};

export const filesShow: FilesCommand<"files show"> = async (context, { id, path }, output) => {
  const result = await showVerb(context.project, { id, path: pathInProject(context, path) });
  if (output.json) return output.result(result, "");
  output.raw(Buffer.from(result.base64, "base64"));
};

export const filesLog: FilesCommand<"files log"> = async (context, { path, limit }, output) => {
  const result = await logVerb(context.project, { path: path && pathInProject(context, path), limit });
  const rows = result.moments.map(
    ({ checkpoint_id, created_at, why, turn, by, files: most, failed, version }) => [
      output.style.yellow(checkpoint_id),
      ago(created_at, context.now()),
      turn === null ? why : `${why}, turn ${turn}`,
      nameThem(by.length === 0 ? ["you"] : by),
      failed === null ? (version ?? count(most, "changed file")) : `not known: ${oneLine(failed)}`,
    ],
  );
  output.list(result, rows, "No files are known as of any moment yet: checkpoint now --files keeps them.");
};
