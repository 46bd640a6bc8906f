import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makePrivateFolder, syncFolder } from "../../../core/store/private-files.ts";
import { mostBytesOf, type Remote, type Version } from "../contract.ts";
import { notOurs } from "../damage.ts";

/** Older versions and unfinished files are deleted. No push lives that long: one that is older than a day starts again. */
const LEFT_AFTER_MS = 48 * 60 * 60 * 1000;

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
      return (await linkWhole(join(path, next), bytes)) ? (next as Version) : undefined;
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
    await removeLeft(folder);
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
    if (found.size > mostBytesOf(name)) throw notOurs(name, "is too large");
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

/** Deletes old versions, and what was left by processes that were killed while they wrote. */
async function removeLeft(folder: string): Promise<void> {
  const names = await readdir(folder);
  const [, ...older] = names.filter(isVersion).toSorted().toReversed();
  // Dated by the file system itself, because the clocks of the machines that share it may differ.
  const { mtimeMs: now } = await stat(folder);
  for (const name of [...older, ...names.filter(isUnfinished)]) {
    const file = join(folder, name);
    const found = await unlessMissing(stat(file));
    if (found && now - found.mtimeMs > LEFT_AFTER_MS) await rm(file, { force: true });
  }
}

async function filesBelow(folder: string, prefix: string): Promise<string[]> {
  const entries = (await unlessMissing(readdir(join(folder, prefix), { withFileTypes: true }))) ?? [];
  const below = entries.map(async (entry) => {
    const name = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, name) : [name];
  });
  return (await Promise.all(below)).flat().filter((name) => !isUnfinished(name));
}

const withoutVersion = (file: string) => file.replace(/\/\d{12}$/, "");
const isUnfinished = (name: string) => name.endsWith(".tmp");
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
