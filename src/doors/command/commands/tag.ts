import { CheckpointError } from "../../../core/errors.ts";
import * as verbs from "../../../work/project/history/tags.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { CommandOf } from "../command.ts";
import { ago } from "../../../core/text/time.ts";

export const tag: CommandOf<"tag"> = async (context, options, output) => {
  const { name, id, trail } = options;
  const { project } = context;
  if (name === undefined) {
    if (options.delete) throw needsName();
    const found = await verbs.tags(project);
    const rows = found.map(({ name: each, checkpoint }) => [
      output.style.cyan(each),
      output.style.yellow(checkpoint.checkpoint_id),
      ago(checkpoint.created_at, context.now()),
      oneLine(checkpoint.notes ?? ""),
    ]);
    return output.list(
      { tags: found },
      rows,
      "No tags yet: checkpoint tag NAME names the newest checkpoint.",
    );
  }
  if (options.delete) {
    const removed = await verbs.untag(project, { name });
    return output.result(
      { tags: [], removed },
      `${name} no longer names ${removed.checkpoint.checkpoint_id}, which stays until it is pruned.`,
    );
  }
  const { moved_from, ...tagged } = await verbs.tag(project, { name, id, trail });
  if (moved_from !== null) output.message(`It named ${moved_from} before.`);
  output.result({ tags: [tagged], moved_from }, `${name} names ${tagged.checkpoint.checkpoint_id}.`);
};

function needsName(): CheckpointError {
  return new CheckpointError("usage", "checkpoint tag --delete needs NAME: the tag to take away.", {
    hint: "checkpoint tag",
  });
}
