import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPath } from "../../../work/machine/folders.ts";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { makePrivateFile, makePrivateFolder, refuseLinks } from "../../../core/store/private-files.ts";
import { compareWithAnchor } from "../../../core/store/sqlite/anchor.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import type { User } from "../../../work/project/remembered.ts";
import { mirrorsFolder } from "../../../work/project/mirrors.ts";

/** A copy of a store outside of its project: a store itself, in a folder of the user's own. */
export interface MirrorPlace {
  /** The store's id; with a number behind it where the same store went on in two ways, as in two copies of a project. */
  readonly name: string;
  readonly file: string;
  /** The project that it was last kept for. */
  readonly root: string;
  /** When it was last written. */
  readonly at: Date;
}

const ROOT_FILE = "project";

/** How many ways one store may have gone on. */
const MOST_COPIES = 20;

/** All mirrors of this user, the one that was written last first. */
export function findMirrors(user: User): MirrorPlace[] {
  const folder = mirrorsFolder(user);
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => placeIn(join(folder, name), name) ?? [])
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

function placeIn(folder: string, name: string): MirrorPlace | undefined {
  const file = join(folder, STORE_FILE);
  try {
    const times = [file, `${file}-wal`].map(
      (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
    const root = rootOf(folder);
    return root === undefined || Math.max(...times) === 0
      ? undefined
      : { name, file, root, at: new Date(Math.max(...times)) };
  } catch {
    // Something else that somebody put there.
    return undefined;
  }
}

/** The newest mirror that was kept for a project, other than that of the store which is there now. */
export function mirrorOfLost(user: User, root: string, present?: string): MirrorPlace | undefined {
  return findMirrors(user).find(
    (mirror) => mirror.root === realPath(root) && (present === undefined || !mirror.name.startsWith(present)),
  );
}

/**
 * Where the mirror of a store is, or would be. A mirror that holds commits which the store never had, or has no more,
 * belongs to another copy of it, or to what it was before it was rolled back: it is left alone. So is that of a project whose
 * folder is still there: what a copy of it removes, or a look at the copy, must not cost the project its mirror.
 */
export function mirrorFileOf(
  user: User & { readonly root: string },
  store: string,
  id: string,
): string | undefined {
  const folder = mirrorsFolder(user);
  if (folder === undefined) return undefined;
  const names = Array.from({ length: MOST_COPIES }, (_, index) => (index === 0 ? id : `${id}-${index + 1}`));
  const free = names.map((name) => join(folder, name, STORE_FILE)).filter((file) => isFree(file, store));
  const root = realPath(user.root);
  return (
    free.find((file) => rootOf(dirname(file)) === root) ??
    free.find((file) => !existsSync(rootOf(dirname(file)) ?? ""))
  );
}

/** The project that a mirror was last kept for. */
function rootOf(folder: string): string | undefined {
  const note = join(folder, ROOT_FILE);
  return existsSync(note) ? readFileSync(note, "utf8").trimEnd() : undefined;
}

function isFree(file: string, store: string): boolean {
  if (!existsSync(file)) return true;
  const known = compareWithAnchor(file, undefined)?.newest;
  return known === undefined || compareWithAnchor(store, known)?.isRolledBack !== true;
}

/** Makes the mirror's folder and an empty file for it, for this user alone, and notes for which project it is. */
export function prepareMirror(file: string, root: string): void {
  const folder = dirname(file);
  makePrivateFolder(folder);
  const note = join(folder, ROOT_FILE);
  for (const path of [file, note]) refuseLinks(dirname(folder), path);
  if (!existsSync(file)) makePrivateFile(file);
  const text = `${realPath(root)}\n`;
  if (!existsSync(note) || readFileSync(note, "utf8") !== text) writePrivate(note, text);
}
