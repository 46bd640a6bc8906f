import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makePrivateFolder, syncFolder } from "../../store/private-files.ts";
import { LARGEST_KEPT_BYTES, type Remote, type Version } from "../contract.ts";
import { notOurs } from "../damage.ts";

/** Versions older than this are deleted. No push lives that long: one that is older than a day starts again. */
const OLD_VERSION_MS = 48 * 60 * 60 * 1000;

/**
 * A folder: another disk, a mounted share. What moves is a folder of numbered files, and moving it is to create the next
 * number: a hard link that fails if the name exists, which is atomic on network file systems too, needs no lock, and
 * cannot be left half done by a process that is killed.
 */
export function openFileRemote(folder: string, label: string): Remote {
  const pathOf = (name: string) => join(folder, ...name.split("/"));
  return {
    label,
    list: async (prefix) => {
      const names = new Set((await filesBelow(folder, "")).map(withoutVersion));
      return [...names].filter((name) => name.startsWith(prefix));
    },
    get: async (name) => {
      const path = pathOf(name);
      const version = ((await newestVersion(path)) ?? "") as Version;
      const bytes = await unlessMissing(readRegular(join(path, version), name));
      return bytes && { bytes, version };
    },
    put: async (name, bytes) => {
      await linkWhole(pathOf(name), bytes);
    },
    compareAndSwap: async (name, bytes, from) => {
      const path = pathOf(name);
      const next = numbered(from === undefined ? 1 : Number(from) + 1);
      if (!isVersion(next)) throw notOurs(name, "has a version that no push would reach");
      if (from === undefined && (await newestVersion(path)) !== undefined) return undefined;
      if (!(await linkWhole(join(path, next), bytes))) return undefined;
      await removeOldVersions(path);
      return next as Version;
    },
    remove: async (name) => rm(pathOf(name), { recursive: true, force: true }),
  };
}

/** Writes a file whole, synced, under its final name. False if that name is taken. */
async function linkWhole(path: string, bytes: Uint8Array): Promise<boolean> {
  const folder = dirname(path);
  makePrivateFolder(folder);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, bytes, { flag: "wx", mode: 0o600, flush: true });
    await link(temporary, path);
    syncFolder(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    // On a full disk too: a part of it would keep the disk full.
    await rm(temporary, { force: true });
  }
}

/** Whoever else can write to the folder may have left a pipe, a link or a device there, or a file without end. */
async function readRegular(path: string, name: string): Promise<Uint8Array> {
  // Without O_NONBLOCK, to open a pipe is to wait for a writer. Windows has neither flag.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags).catch((error: unknown) => {
    if (["ELOOP", "ENXIO"].includes(codeOf(error) ?? "")) throw notOurs(name, "is not a regular file");
    throw error;
  });
  try {
    const found = await file.stat();
    if (found.size > LARGEST_KEPT_BYTES) throw notOurs(name, "is too large");
    if (!found.isFile() && !found.isDirectory()) throw notOurs(name, "is not a regular file");
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function newestVersion(path: string): Promise<string | undefined> {
  const names = await unlessMissing(readdir(path));
  return names?.filter(isVersion).toSorted().at(-1);
}

async function removeOldVersions(path: string): Promise<void> {
  const [, ...older] = (await readdir(path)).filter(isVersion).toSorted().toReversed();
  for (const name of older) {
    const file = join(path, name);
    const { mtimeMs } = await stat(file);
    // Dated by the file system itself, because the clocks of the machines that share it may differ.
    if ((await stat(path)).mtimeMs - mtimeMs > OLD_VERSION_MS) await rm(file, { force: true });
  }
}

async function filesBelow(folder: string, prefix: string): Promise<string[]> {
  const entries = (await unlessMissing(readdir(join(folder, prefix), { withFileTypes: true }))) ?? [];
  const below = entries.map(async (entry) => {
    const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, name) : [name];
  });
  return (await Promise.all(below)).flat().filter((name) => !name.endsWith(".tmp"));
}

const withoutVersion = (file: string) => file.replace(/\/\d{12}$/, "");
const isVersion = (name: string) => /^\d{12}$/.test(name);
/** All versions have as many digits, so that names sort like numbers. */
const numbered = (number: number) => String(number).padStart(12, "0");

async function unlessMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
