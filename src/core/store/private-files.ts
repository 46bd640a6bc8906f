import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";

import { CheckpointError } from "../errors.ts";
import { ENDINGS } from "./store-files.ts";

/** 0 for a file that is not there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Throws if something on the way from `folder` to `path` is a symbolic link, or if `path` is a file with a second name:
 * writing there could change a file elsewhere. So it does for a pipe or a device, which could keep us waiting for ever.
 * A repository, an archive or another user may have brought such a thing.
 * `folder` itself is not checked: whoever named it chose it.
 */
export function refuseLinks(folder: string, path: string): void {
  let reached = folder;
  for (const name of relative(folder, path).split(sep)) {
    reached = join(reached, name);
    const found = lstatSync(reached, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (found.isSymbolicLink()) throw symbolicLink(reached);
    if (reached !== path || found.isDirectory()) continue;
    if (!found.isFile()) throw notAFile(path);
    if (found.nlink > 1) throw hardLink(path);
  }
}

/** Every file that SQLite or we write for a store, the main file among them. Even a reader writes some of them. */
const STORE_ENDINGS = [...ENDINGS, "-journal", "-mark"] as const;

export function refuseLinkedStore(path: string): void {
  for (const ending of STORE_ENDINGS) refuseLinks(dirname(path), path + ending);
}

export function symbolicLink(path: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${path}" is a symbolic link, which could lead out of the project.`,
    {
      hint: "Put a real folder or file in its place, or work in another folder.",
      details: { path },
    },
  );
}

function hardLink(path: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${path}" has another name elsewhere (a hard link), so writing it would change that file too.`,
    {
      hint: "Put a copy in its place, or work in another folder.",
      details: { path },
    },
  );
}

function notAFile(path: string): CheckpointError {
  return new CheckpointError("refused", `"${path}" is a pipe, a socket or a device, not a file.`, {
    hint: "Remove it, or work in another folder.",
    details: { path },
  });
}

/** Returns the outermost folder that had to be made. */
export function makePrivateFolder(folder: string): string | undefined {
  try {
    return makeWithParents(folder);
  } catch (cause) {
    throw new CheckpointError("failed", `The folder "${folder}" cannot be made.`, {
      hint: "Check that its parent exists and that you may write to it.",
      details: { folder },
      cause,
    });
  }
}

/** Node's own `recursive` never returns where a parent exists but takes no folders, as in /proc. */
function makeWithParents(folder: string): string | undefined {
  const isFolder = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder()) return undefined;
  const parent = dirname(folder);
  const firstMade = parent === folder ? undefined : makeWithParents(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return firstMade ?? folder;
  } catch (error) {
    // Another process may have been quicker.
    if (isFolder()) return firstMade;
    throw error;
  }
}

/** What a `.gitignore` says that keeps its whole folder out of version control. */
export const IGNORE_ALL = "# Made by cairn: checkpoints stay out of version control.\n*\n";

/** Only for a folder that was made for the store alone: nothing else in it could be meant for git. */
export function keepOutOfGit(folder: string): void {
  try {
    writeFileSync(join(folder, ".gitignore"), IGNORE_ALL, { flag: "wx", mode: 0o600 });
  } catch {
    // Another process was quicker, or the disk is full: then the store will say so itself.
  }
}

/**
 * Makes new folders as durable as what will be in them: SQLite syncs the names of its files, but not the name of the
 * folder that they are in.
 */
export function syncParents(folder: string, firstMade: string): void {
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) syncFolder(dirname(made));
}

/** Makes the names in a folder durable, where the system lets folders be opened. */
export function syncFolder(path: string): void {
  const folder = openFolder(path);
  if (folder === undefined) return;
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Undefined where folders cannot be opened, as on Windows, or not this one: then nothing can be done about it. */
function openFolder(path: string): number | undefined {
  try {
    return process.platform === "win32" ? undefined : openSync(path, "r");
  } catch {
    return undefined;
  }
}

/** SQLite gives its log and shared memory the mode of the main file, so that decides for all three. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch (cause) {
    throw new CheckpointError("failed", `The store "${path}" cannot be created.`, {
      hint: "Make its folder writable for you, or choose another one.",
      details: { path },
      cause,
    });
  }
}

/** File systems on which SQLite's shared memory does not work between machines. */
const NETWORK_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x01021997: "9P",
  0x6b414653: "AFS",
  0x73757245: "Coda",
};

export function assertLocal(folder: string): void {
  const name = NETWORK_FILE_SYSTEMS[statfsSync(folder).type];
  if (name === undefined) return;
  throw new CheckpointError(
    "refused",
    `The folder "${folder}" is on a network file system (${name}), where SQLite cannot keep its promises.`,
    {
      hint: "Put the store on a local disk.",
      details: { folder, fileSystem: name },
    },
  );
}

/** A store that somebody else planted could hold anything: it is not opened. */
export function assertOwn(folder: string): void {
  const owner = foreignOwner(folder);
  if (owner === undefined) return;
  throw new CheckpointError("refused", `The folder "${folder}" belongs to another user.`, {
    hint: "Use a folder of your own.",
    details: { folder, owner },
  });
}

/** In a folder that others may write to, they can also replace our files with theirs, and would read what is saved there. */
export function assertOwnFiles(path: string): void {
  for (const file of [...ENDINGS, "-mark"].map((ending) => path + ending)) {
    const owner = foreignOwner(file);
    if (owner === undefined) continue;
    throw new CheckpointError("refused", `"${file}" belongs to another user.`, {
      hint: `Find out who put it there, and close the folder to others: chmod 700 ${dirname(path)}`,
      details: { path: file, owner },
    });
  }
}

/** Undefined if it is ours, or not there, or if the system has no owners. */
function foreignOwner(path: string): number | undefined {
  const me = process.geteuid?.();
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  return me === undefined || owner === me ? undefined : owner;
}
