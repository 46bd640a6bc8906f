import { lstat, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { VerifyReport } from "../../../core/store/contract.ts";
import { openSqliteStore } from "../../../core/store/sqlite.ts";

/** No backup takes that long: what is older was left by one that was killed, and holds a copy of everything. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

const PREFIX = ".backup-";

/** A folder for what is not whole or not checked yet, for this user alone. It goes at the end. */
export async function withFolder<Result>(
  parent: string,
  use: (folder: string) => Promise<Result>,
  prefix = PREFIX,
): Promise<Result> {
  const folder = await mkdtemp(join(parent, prefix));
  try {
    await removeLeft(parent, folder, prefix);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Ends what a copy left that was killed while it gave a store its name: the store is whole, but one that has a second name is
 * refused by all who open it.
 */
export async function dropSecondName(folder: string): Promise<void> {
  const store = await lstat(join(folder, STORE_FILE)).catch(() => undefined);
  if (store === undefined || store.nlink === 1) return;
  for (const name of (await readdir(folder)).filter((each) => each.startsWith(PREFIX))) {
    const copy = await lstat(join(folder, name, STORE_FILE)).catch(() => undefined);
    if (copy?.ino === store.ino && copy.dev === store.dev) await rm(join(folder, name), { recursive: true });
  }
}

/** Dated by the file system itself. What belongs to another user stays. */
async function removeLeft(parent: string, fresh: string, prefix: string): Promise<void> {
  const { mtimeMs: now, uid } = await stat(fresh);
  for (const name of (await readdir(parent)).filter((each) => each.startsWith(prefix))) {
    const left = join(parent, name);
    const found = await lstat(left).catch(() => undefined);
    if (found?.uid === uid && now - found.mtimeMs > LEFT_AFTER_MS)
      await rm(left, { recursive: true, force: true });
  }
}

export async function checked(
  path: string,
  hint: string,
): Promise<Pick<VerifyReport, "objects" | "checkpoints" | "trails">> {
  const store = await openSqliteStore({ path, readOnly: true });
  try {
    const { objects, checkpoints, trails, damage } = await store.verify();
    if (damage.length === 0) return { objects, checkpoints, trails };
    throw new CheckpointError("corrupt", `The copy is damaged: ${damage[0]?.what}`, {
      hint,
      details: { damage: damage.length },
    });
  } finally {
    await store.close();
  }
}
