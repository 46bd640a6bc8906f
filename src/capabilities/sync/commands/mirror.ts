import * as verbs from "../verbs/mirror.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { SyncCommand } from "../verbs.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";

export const mirror: SyncCommand<"mirror"> = async (context, _options, output) => {
  const result = await verbs.mirror(context.project);
  const { file, was_there, is_current } = result;
  const state = is_current ? "It is up to date." : "Another process is bringing it up to date.";
  output.result(result, `${was_there ? "Kept in" : "Made"} ${file}. ${state}`);
};

export const mirrorList: SyncCommand<"mirror list"> = async (context, _options, output) => {
  const result = await verbs.mirrorList(context.project);
  const rows = result.mirrors.map(({ name, project, is_gone, saved_at }) => [
    output.style.cyan(name),
    oneLine(project),
    ago(saved_at, context.now()),
    is_gone ? output.style.yellow("its store is gone") : "",
  ]);
  output.list(result, rows, "No mirrors yet: checkpoint mirror");
};

export const mirrorRestore: SyncCommand<"mirror restore"> = async (context, { name }, output) => {
  const result = await verbs.mirrorRestore(context.project, { name });
  const renamed = result.trails
    .filter(({ trail, as }) => trail !== as)
    .map(({ trail, as }) => `${oneLine(trail)} is here as ${oneLine(as)}.`);
  const brought = `Brought back ${count(result.trails.length, "trail")}, each byte checked.`;
  output.result(result, [brought, ...renamed].join("\n"));
};
