import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { sizeOf } from "../../../core/store/private-files.ts";
import { copyStoreFile } from "../../../core/store/sqlite/copy-store.ts";
import { FollowingStore } from "../../../core/store/sqlite/follow-store.ts";
import { checked, withFolder } from "./checked-copy.ts";
import type { Project } from "../../../work/project/project.ts";
import { mirrorFileOf, prepareMirror } from "./mirror-folders.ts";

/** What a command does at its end, after its own work. What is left is for the next one, or for one that runs longer. */
const PATIENCE_MS = 250;
const LARGEST_COPY_BYTES = 64 * 1024 * 1024;

export interface CatchUpOptions {
  /** A command is about to end: it does not take long. */
  readonly isBrief?: boolean;
}

/** Keeps the mirror of one store. */
export class MirrorKeeper {
  readonly #store: string;
  readonly #file: string;
  readonly #following: FollowingStore;

  constructor(store: string, file: string) {
    this.#store = store;
    this.#file = file;
    this.#following = new FollowingStore(store, file);
  }

  /** Brings the mirror to where the store was when it was asked. Returns whether it got there. */
  async catchUp({ isBrief = false }: CatchUpOptions = {}): Promise<boolean> {
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
    await withFolder(dirname(this.#file), async (folder) => {
      const copy = join(folder, STORE_FILE);
      await copyStoreFile(this.#store, copy);
      await checked(copy, "The mirror is as it was. The store itself is damaged: checkpoint verify");
      await copyStoreFile(copy, this.#file);
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
  if (file === undefined) return undefined;
  prepareMirror(file, project.root);
  return new MirrorKeeper(store, file);
}
