import { ago } from "../../../core/text/time.ts";
import { oneLine, visible } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import type { CommandFunction } from "../../../work/terminal/command.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { isHitId, type SearchHit } from "../hit.ts";
import * as verbs from "../search.ts";
import type { SEARCH } from "../verbs.ts";

export const search: CommandFunction<(typeof SEARCH)["search"]> = async (context, options, output) => {
  const onProgress = (done: number) =>
    output.progress(`Bringing the index up to date: ${count(done, "checkpoint")}`);
  const { words, kind, session, since, limit } = options;
  const result = await verbs.search(context.project, { words, kind, session, since, limit, onProgress });
  for (const { word, nearest } of result.unknown)
    output.message(
      `"${oneLine(word)}" occurs nowhere.${nearest.length > 0 ? ` Like it: ${nearest.map(oneLine).join(", ")}` : ""}`,
    );
  if (result.hits.length === 0) output.message(`Nothing found in ${count(result.searched, "text")}.`);
  const isWhole = isHitId(words.join(" "));
  const around = result.turn.map(
    ({ kind, at, text }) => `\n${output.style.dim(`${kind}  ${ago(at, context.now())}`)}\n${visible(text)}`,
  );
  if (around.length > 0) around.unshift(output.style.dim("\nIn the same turn:"));
  output.result(result, () =>
    [...result.hits.map((hit) => shown(hit, context.now(), { output, isWhole })), ...around].join("\n"),
  );
};

function shown(hit: SearchHit, now: Date, { output, isWhole }: { output: Output; isWhole: boolean }): string {
  const { yellow, cyan, dim } = output.style;
  const { kind, at, who, session, trail, file, text, command, checkpoint_id } = hit;
  const where = session === null ? trail : `session ${session.slice(0, 8)}`;
  const about = [
    yellow(kind),
    who === null ? "" : oneLine(who),
    cyan(oneLine(where)),
    dim(ago(at, now)),
    oneLine(file ?? ""),
  ];
  const head = about.filter((part) => part !== "").join("  ");
  if (isWhole) return `${head}  ${checkpoint_id}\n${visible(text)}`;
  return `${head}\n    ${oneLine(text)}\n    ${dim(command)}`;
}
