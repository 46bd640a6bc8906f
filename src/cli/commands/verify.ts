import type { Cairn } from "../../checkpoints/cairn.ts";
import { readCheckpoint } from "../../checkpoints/document.ts";
import { EXIT_STATUS, isCheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { CommandOf } from "../command.ts";
import type { KEEPING } from "../table/keeping.ts";
import { count } from "../view/words.ts";

/** Check every byte against its hash */
export const verify: CommandOf<typeof KEEPING.verify> = async (context, _options, output) => {
  const project = context.project;
  const cairn = await project.stores.open(project, "read");
  const report = await cairn.verify({
    onProgress: (done, total) => output.progress(`Checked ${done} of ${total} objects`),
  });
  output.progress("");
  const { objects, checkpoints, trails, damage } = report;
  const checked = `${count(checkpoints, "checkpoint")} in ${count(trails, "trail")}, ${count(objects, "object")}`;
  const names = await namesOf(
    cairn,
    damage.flatMap(({ costs }) => costs),
  );
  if (damage.length > 0)
    output.message("Everything else still loads. checkpoint list --all shows what there is.");
  output.result({ ok: damage.length === 0, objects, checkpoints, trails, damage }, () => {
    if (damage.length === 0) return `Everything is as it was written: ${checked}.`;
    const lines = damage.map(({ what, costs }) => {
      const lost =
        costs.length === 0
          ? ""
          : `\n    costs ${costs.map((id) => names.get(id) ?? id.slice(0, 16)).join(", ")}`;
      return `  ${output.style.red(what)}${lost}`;
    });
    return [`${count(damage.length, "part is", "parts are")} damaged, of ${checked}:`, ...lines].join("\n");
  });
  return damage.length === 0 ? 0 : EXIT_STATUS.corrupt;
};

/** What people call the checkpoints that are lost, as far as these can still be read themselves. */
async function namesOf({ store }: Cairn, ids: readonly ObjectId[]): Promise<Map<ObjectId, string>> {
  const names = new Map<ObjectId, string>();
  for (const id of new Set(ids)) {
    try {
      const bytes = (await store.readObjects([id])).get(id);
      if (bytes !== undefined) names.set(id, readCheckpoint(id, bytes).info.checkpoint_id);
    } catch (error) {
      if (!isCheckpointError(error, "corrupt")) throw error;
    }
  }
  return names;
}
