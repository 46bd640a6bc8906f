import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Cairn } from "../../../work/state/cairn.ts";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { sizeOf } from "../../../core/store/private-files.ts";
import { copyStoreFile } from "../../../core/store/sqlite/copy-store.ts";
import { FollowingStore } from "../../../core/store/sqlite/follow-store.ts";
import type { Opening, Project } from "../../../work/project/project.ts";
import { type Mirroring, mirrorsFolder, wantsMirrors } from "../../../work/project/mirrors.ts";
import { checked, withFolder } from "./checked-copy.ts";
import { mirrorFileOf, prepareMirror } from "./mirror-folders.ts";

/** With the time that a copy takes, a mirror lags by less than a second. */
const EVERY_MS = 400;

/** What a command does at its end, after its own work. What is left is for the next one, or for one that runs longer. */
const PATIENCE_MS = 250;
const LARGEST_COPY_BYTES = 64 * 1024 * 1024;

/**
 * Keeps the mirror of an open store for as long as the process lives, if there is to be one. Commits never wait for it, and
 * no failure of it is theirs.
 */
export function keepMirrored(project: Project, opened: Promise<Cairn>, opening: Opening): Mirroring {
  let keeping: Promise<MirrorKeeper | undefined> | undefined;
  let running: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  let hasFailed = false;
  const catchUp = async (isBrief: boolean): Promise<void> => {
    if (hasFailed) return;
    try {
      keeping ??= openIfWanted(project, opened, opening);
      await (await keeping)?.catchUp({ isBrief });
    } catch (error) {
      hasFailed = true;
      // A store that was deleted is reported by those who use it.
      if (existsSync(join(project.folder, STORE_FILE)))
        project.notices.warning(`The mirror was not updated: ${(error as Error).message}`);
    }
  };
  const timer = setInterval(() => {
    running ??= catchUp(false).finally(() => (running = undefined));
  }, EVERY_MS);
  timer.unref();
  const end = async () => {
    clearInterval(timer);
    await running;
    await catchUp(true);
    (await keeping?.catch(() => undefined))?.close();
  };
  return { end: () => (ending ??= end()) };
}

async function openIfWanted(
  project: Project,
  opened: Promise<Cairn>,
  opening: Opening,
): Promise<MirrorKeeper | undefined> {
  const { id } = await (await opened).store.identity();
  const folder = mirrorsFolder(project);
  const hasMirror = folder !== undefined && existsSync(join(folder, id));
  if (!hasMirror && (opening === "read" || !(await wantsMirrors(project)))) return undefined;
  return openKeeper(project, id);
}

/** Keeps the mirror of one store. */
export class MirrorKeeper {
  readonly file: string;
  readonly wasThere: boolean;
  readonly #store: string;
  readonly #following: FollowingStore;

  constructor(store: string, file: string, root: string) {
    this.#store = store;
    this.file = file;
    this.wasThere = existsSync(file);
    prepareMirror(file, root);
    this.#following = new FollowingStore(store, file);
  }

  /** Brings the mirror to where the store was when it was asked. Returns whether it got there. A command that is about to end is brief. */
  async catchUp({ isBrief = false } = {}): Promise<boolean> {
    const start = performance.now();
    while (this.#following.hasNews()) {
      const followed = this.#following.follow();
      // What is committed from now on is for the next time: else whoever commits without a pause would pay for each.
      if (followed === "current") return true;
      if (followed === "busy") return false;
      if (followed === "changed") {
        if (isBrief && sizeOf(this.#store) > LARGEST_COPY_BYTES) return false;
        await this.#copyWhole();
      }
      if (isBrief && performance.now() - start > PATIENCE_MS) return !this.#following.hasNews();
      await turn();
    }
    return true;
  }

  /** Checked first, because a store that was damaged must not replace a good copy of it. */
  async #copyWhole(): Promise<void> {
    await withFolder(dirname(this.file), async (folder) => {
      const copy = join(folder, STORE_FILE);
      await copyStoreFile(this.#store, copy);
      await checked(copy, "The mirror was not changed. The store itself is damaged: checkpoint verify");
      await copyStoreFile(copy, this.file);
    });
  }

  close(): void {
    this.#following.close();
  }
}

/** Undefined where the user has no folder to keep it in. */
export function openKeeper(project: Project, storeId: string): MirrorKeeper | undefined {
  const store = join(project.folder, STORE_FILE);
  const file = mirrorFileOf(project, store, storeId);
  return file === undefined ? undefined : new MirrorKeeper(store, file, project.root);
}
