import { lstat, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import type { VerifyReport } from "../../../core/store/contract.ts";
import { openSqliteStore } from "../../../core/store/sqlite.ts";

/** No backup takes that long: what is older was left by one that was killed, and holds a copy of everything. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

/** A folder for what is not whole or not checked yet, for this user alone. It goes at the end. */
export async function withFolder<Result>(
  parent: string,
  use: (folder: string) => Promise<Result>,
  prefix = ".backup-",
): Promise<Result> {
  const folder = await mkdtemp(join(parent, prefix));
  try {
    await removeLeft(parent, folder, prefix);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
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
