import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { exportTrail } from "../../../core/trails/transfer/export-trail.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { lineNames } from "../../../core/trails/lines/line-names.ts";
import { compareWithAnchor } from "../../../core/store/sqlite/anchor.ts";
import { copyStoreFile } from "../../../core/store/sqlite/copy-store.ts";
import { parseMark } from "../../../core/store/sqlite/mark.ts";
import { openSqliteStore } from "../../../core/store/sqlite.ts";
import type { Store } from "../../../core/store/contract.ts";
import { isGovernance } from "../../../work/project/choose-trail.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { askGate } from "../../../work/project/gate.ts";
import { withFolder } from "../mirror/checked-copy.ts";
import { findMirrors, mirrorFileOf, mirrorOfLost, type MirrorPlace } from "../mirror/mirror-folders.ts";
import { openKeeper } from "../mirror/mirror-keeper.ts";
import type { Project } from "../../../work/project/project.ts";
import { restoreStore } from "./backup.ts";
import { importFile } from "../../../work/project/maintenance/import.ts";

/** Makes the mirror of this project, or brings it up to date. From then on it is kept. */
export async function mirror(project: Project) {
  refuseShared(project);
  const { store } = await project.stores.open(project, "write", null);
  await askGate(project, "keep.mirror");
  const keeper = openKeeper(project, (await store.identity()).id);
  if (keeper === undefined) throw noHome();
  const { file, wasThere: was_there } = keeper;
  try {
    return { file, was_there, is_current: await keeper.catchUp() };
  } finally {
    keeper.close();
  }
}

/** How many commits the mirror of this project lacks; undefined if there is none. */
export async function mirrorLag(project: Project): Promise<{ file: string; commits: number } | undefined> {
  if (project.shared !== undefined || !hasStore(project)) return undefined;
  const path = join(project.folder, STORE_FILE);
  const { store } = await project.stores.open(project, "read");
  const file = mirrorFileOf(project, path, (await store.identity()).id);
  if (file === undefined || !existsSync(file)) return undefined;
  return { file, commits: (await newestCommit(path)) - (await newestCommit(file)) };
}

/** The number of a store's last commit. Throws if the store cannot be read. */
async function newestCommit(path: string): Promise<number> {
  const found = compareWithAnchor(path, undefined);
  // Opening it says why.
  if (found === undefined) await (await openSqliteStore({ path, readOnly: true })).close();
  return parseMark(found?.newest ?? "")?.sequence ?? 0;
}

/** All mirrors of this user, also those of projects that are gone. */
export async function mirrorList(project: Project) {
  return {
    mirrors: findMirrors(project).map(({ name, file, root, at }) => ({
      name,
      file,
      project: root,
      is_gone: !existsSync(join(root, ".cairn", STORE_FILE)),
      saved_at: at.toISOString(),
    })),
  };
}

export interface MirrorRestoreInput {
  /** Which mirror: the beginning of its name. Without one the newest of this project. */
  readonly name?: string | undefined;
}

export interface RestoredMirror {
  readonly name: string;
  /** `store`: this project has the store of the mirror again, whole. `trails`: its trails came into the store that is here. */
  readonly restored: "store" | "trails";
  readonly trails: readonly { readonly trail: string; readonly as: string }[];
}

/**
 * Brings a mirror back, every byte checked. Where there is no store it becomes the store, with everything: ids, tags,
 * ledger. Where there is one, its trails come into that, but those of governance; one whose name is taken comes as `main@mirror`.
 */
export async function mirrorRestore(project: Project, input: MirrorRestoreInput): Promise<RestoredMirror> {
  refuseShared(project);
  const { name, file } = await chooseMirror(project, input);
  if (hasStore(project)) {
    // From a copy: another project may still keep this mirror.
    const bring = async (folder: string) => {
      const copy = join(folder, STORE_FILE);
      await copyStoreFile(file, copy);
      return bringTrails(project, copy);
    };
    const trails = await withFolder(dirname(dirname(file)), bring, ".restore-");
    return { name, restored: "trails", trails };
  }
  await restoreStore(project, file, (copy) => copyStoreFile(file, copy));
  const { store } = await project.stores.open(project, "read");
  const trails = (await store.trails()).map(({ name: trail }) => ({ trail, as: trail }));
  return { name, restored: "store", trails };
}

async function chooseMirror(project: Project, { name }: MirrorRestoreInput): Promise<MirrorPlace> {
  if (name === undefined) {
    const present = hasStore(project) ? await project.stores.open(project, "read") : undefined;
    const lost = mirrorOfLost(project, project.root, (await present?.store.identity())?.id);
    if (lost === undefined) throw noMirror("There is no such mirror of this project.");
    return lost;
  }
  const [found, ...others] = findMirrors(project).filter((place) => place.name.startsWith(name));
  if (found === undefined) throw noMirror(`There is no such mirror: "${name}".`);
  if (others.length === 0) return found;
  throw noMirror(`The names of ${others.length + 1} mirrors begin so: "${name}".`);
}

/** What is here already, under whatever name, is passed over: so it can be repeated. */
async function bringTrails(project: Project, copy: string): Promise<RestoredMirror["trails"]> {
  const from = await openSqliteStore({ path: copy, readOnly: true });
  try {
    const { store } = await project.stores.open(project, "write", null);
    const brought = [];
    for (const { name: trail, head } of (await from.trails()).toReversed()) {
      if (isGovernance(trail) || (await store.find({ idPrefix: head, limit: 1 })).length > 0) continue;
      const as = await freeName(store, trail);
      const read = () => Readable.from(exportTrail(from, trail), { objectMode: false });
      await importFile(project, { source: "mirror", read, trust: true, ...(as !== trail && { as }) });
      brought.push({ trail, as });
    }
    return brought;
  } finally {
    await from.close();
  }
}

async function freeName(store: Store, trail: string): Promise<string> {
  for (const name of [trail, ...lineNames(trail, "mirror")])
    if ((await store.head(name)) === undefined) return name;
  throw new CheckpointError("conflict", `All names for the trail "${trail}" are taken.`, {
    hint: "checkpoint trails",
  });
}

function noMirror(what: string): CheckpointError {
  return new CheckpointError("not-found", what, { hint: "checkpoint mirror list" });
}

function refuseShared({ shared }: Project): void {
  if (shared === undefined) return;
  throw new CheckpointError("usage", "A shared store has no mirror: it is not in the project's folder.", {
    hint: "checkpoint store copy shared local",
  });
}

function noHome(): CheckpointError {
  return new CheckpointError("failed", "There is no folder for the mirror: this user has no home.", {
    hint: "Set XDG_DATA_HOME to a folder of your own.",
  });
}
