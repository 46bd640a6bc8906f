import { lstat, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CheckpointError } from "../../errors.ts";
import type { VerifyReport } from "../../store/contract.ts";
import { openSqliteStore } from "../../store/sqlite.ts";

const UNCHECKED = ".backup-";

/** No backup takes that long: what is older was left by one that was killed, and holds a copy of everything. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

/** A folder for what is not checked yet, beside the store: on a local disk, and for this user alone. */
export async function withFolder<Result>(
  parent: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(parent, UNCHECKED));
  await removeLeft(parent, folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Dated by the file system itself. */
async function removeLeft(parent: string, fresh: string): Promise<void> {
  const now = (await stat(fresh)).mtimeMs;
  for (const name of (await readdir(parent)).filter((each) => each.startsWith(UNCHECKED))) {
    const left = join(parent, name);
    const { mtimeMs } = (await lstat(left).catch(() => undefined)) ?? { mtimeMs: now };
    if (now - mtimeMs > LEFT_AFTER_MS) await rm(left, { recursive: true, force: true });
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
