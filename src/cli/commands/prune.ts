import { infoOfStored } from "../../checkpoints/document.ts";
import { prune as pruneStore, type PruneReport } from "../../checkpoints/prune.ts";
import { isCheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Store } from "../../store/contract.ts";
import type { CommandOf } from "../command.ts";
import { table } from "../columns.ts";
import { chooseTrail } from "../../project/choose-trail.ts";
import { noCheckpointYet } from "../../project/find-project.ts";
import { allOrOne } from "../../project/looking/list.ts";
import { readSettings } from "../../project/settings/settings.ts";
import type { Output } from "../output.ts";
import type { KEEPING } from "../table/keeping.ts";
import { bytes, count } from "../view/words.ts";

/** Remove old checkpoints, keeping the newest */
export const prune: CommandOf<typeof KEEPING.prune> = async (context, options, output) => {
  if (options.all && options.trail !== undefined) throw allOrOne(options.trail);
  const project = context.project;
  const { keep } = await readSettings(project, project.root);
  const { name } = chooseTrail(project, options.trail);
  const cairn = await project.stores.open(project, options.dryRun ? "read" : "write");
  if (!options.all && (await cairn.store.head(name)) === undefined) throw noCheckpointYet(name);
  const target = options.all ? ({ all: true } as const) : { trail: name };
  const names = await namesOf(cairn.store, options.all ? undefined : name);
  const report = await pruneStore(
    cairn.store,
    target,
    { last: options.keep ?? keep },
    {
      now: context.now(),
      dryRun: options.dryRun,
      onProgress: (done, total) => output.progress(`Looking through ${done} of ${total} objects`),
    },
  );
  output.progress("");
  const idOf = (id: ObjectId) => names.get(id) ?? id;
  const document = {
    dry_run: report.dryRun,
    bytes_freed: report.bytesFreed,
    kept: report.kept.map(({ id, trail, reasons }) => ({
      checkpoint_id: idOf(id),
      content_hash: id,
      trail,
      reasons,
    })),
    removed: report.removed.map(({ id, trail, reason }) => ({
      checkpoint_id: idOf(id),
      content_hash: id,
      trail,
      reason,
    })),
  };
  output.result(document, () => text(report, idOf, output));
};

/** What people call each checkpoint, read before it is gone. */
async function namesOf(store: Store, only: string | undefined): Promise<Map<ObjectId, string>> {
  const trails = only === undefined ? (await store.trails()).map(({ name }) => name) : [only];
  const names = new Map<ObjectId, string>();
  for (const trail of trails) {
    for (const stored of await store.history(trail)) {
      try {
        names.set(stored.id, infoOfStored(stored).checkpoint_id);
      } catch (error) {
        // A damaged one has no name; it is kept anyway.
        if (!isCheckpointError(error, "corrupt")) throw error;
      }
    }
  }
  return names;
}

const SHOWN = 20;

function text(
  { dryRun, kept, removed, bytesFreed }: PruneReport,
  idOf: (id: ObjectId) => string,
  output: Output,
): string {
  const { style } = output;
  const rows = [
    ...removed.slice(0, SHOWN).map(({ id, trail, reason }) => [style.red("-"), idOf(id), trail, reason]),
    ...kept
      .slice(0, SHOWN)
      .map(({ id, trail, reasons }) => [style.green("="), idOf(id), trail, reasons.join(", ")]),
  ];
  const more = Math.max(0, removed.length - SHOWN) + Math.max(0, kept.length - SHOWN);
  const verb = dryRun ? "would be removed" : "removed";
  const freed = dryRun ? "" : `; ${bytes(bytesFreed)} given back to the disk`;
  return [
    ...(rows.length > 0 ? [table(rows, output.columns)] : []),
    ...(more > 0 ? [style.dim(`  + ${more} more: --json lists them all`)] : []),
    `${count(removed.length, "checkpoint")} ${verb}, ${kept.length} kept${freed}.`,
  ].join("\n");
}
