import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { CheckpointError } from "../../errors.ts";

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

/** Returns the outermost folder that had to be made. */
export function makePrivateFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new CheckpointError("failed", `The folder "${folder}" cannot be made.`, {
      hint: "Check that its parent exists and that you may write to it.",
      details: { folder },
      cause,
    });
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
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) {
    const parent = openFolder(dirname(made));
    if (parent === undefined) continue;
    try {
      fsyncSync(parent);
    } finally {
      closeSync(parent);
    }
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

/** A store that somebody else planted could hold anything: it is not opened. */
export function assertOwn(folder: string): void {
  const me = process.geteuid?.();
  const owner = statSync(folder).uid;
  if (me === undefined || owner === me) return;
  throw new CheckpointError("refused", `The folder "${folder}" belongs to another user.`, {
    hint: "Use a folder of your own.",
    details: { folder, owner },
  });
}

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
