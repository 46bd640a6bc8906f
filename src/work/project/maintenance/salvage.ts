import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { salvageStore, type SalvageReport } from "../../../core/trails/transfer/salvage-store.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Progress } from "../../../core/store/contract.ts";
import { assertOwn, refuseLinkedStore } from "../../../core/store/private-files.ts";
import { makeReplacement } from "../../../core/store/sqlite.ts";
import { Salvage } from "../../../core/store/sqlite/salvage/salvage.ts";
import { askGate } from "../gate.ts";
import type { Project } from "../project.ts";
import { isRemembered } from "../remembered.ts";
import { registerStore } from "../trust.ts";

export type { LostPart } from "../../../core/trails/transfer/salvage-store.ts";

export interface StoreSalvageInput extends Progress {
  /** An absolute path that is not in use yet. */
  readonly to?: string | undefined;
}

export interface StoreSalvage extends SalvageReport {
  /** Where the new store is. */
  readonly folder: string;
}

/** Copies all that verifies of the store in `.cairn` into a new store, and lists the rest. The damaged one is only read. */
export async function storeSalvage(project: Project, input: StoreSalvageInput): Promise<StoreSalvage> {
  const to = input.to ?? join(project.root, ".cairn-salvaged");
  refuse(project, to);
  await askWherePossible(project);
  const from = new Salvage(join(project.folder, STORE_FILE));
  try {
    const store = await makeReplacement(join(to, STORE_FILE), from.identity);
    try {
      const report = await salvageStore(from, store, { onProgress: input.onProgress });
      // Runs of the user's own store are the user's own in the new one too.
      if (isRemembered(project, [from.identity?.id ?? "", realpathSync(project.folder)]))
        await registerStore(project, to, store);
      return { folder: to, ...report };
    } finally {
      await store.close();
    }
  } finally {
    from.close();
  }
}

function refuse({ folder, shared }: Project, to: string): void {
  const store = join(folder, STORE_FILE);
  if (shared !== undefined)
    throw new CheckpointError("usage", "Only a store in .cairn can be salvaged.", {
      hint: "PostgreSQL has its own backups. To copy what can be read: checkpoint store copy shared FOLDER",
    });
  if (!existsSync(folder))
    throw new CheckpointError("not-found", `There is no store in "${folder}".`, {
      hint: "checkpoint mirror restore, or checkpoint backup restore FILE",
    });
  if (existsSync(to))
    throw new CheckpointError("conflict", `"${to}" is there already.`, {
      hint: "Choose another folder: checkpoint store salvage --to FOLDER",
      details: { folder: to },
    });
  assertOwn(folder);
  refuseLinkedStore(store);
}

/** A store that cannot be opened cannot be asked. Reading its files is all that follows. */
async function askWherePossible(project: Project): Promise<void> {
  try {
    await askGate(project, "keep.salvage");
  } catch (error) {
    if (!isCheckpointError(error, "corrupt") && !isCheckpointError(error, "not-found")) throw error;
  }
}
