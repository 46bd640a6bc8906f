import { join } from "node:path";
import { STORE_FILE, type Cairn } from "../../checkpoints/cairn.ts";
import { isCheckpointError } from "../../errors.ts";
import { noCheckpointYet } from "../../sessions/trails/choose-trail.ts";
import { StoreFiles } from "../../store/sqlite/store-files.ts";
import type { Project, World } from "./world.ts";

interface OpenStore {
  readonly cairn: Promise<Cairn>;
  /** Known once it is open: one that was deleted or replaced must not be written to any more. */
  files: StoreFiles | undefined;
}

/** Stores that stay open between calls, one for each project: opening one costs more than most calls. */
export class OpenStores {
  readonly #world: World;
  readonly #open = new Map<string, OpenStore>();
  readonly #closing = new Set<Promise<void>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** A store to write to. With `create`, one is made where there is none. */
  async toWrite(project: Project, opening: "create" | "write" = "write"): Promise<Cairn> {
    if (opening === "write" && !this.#world.hasStore(project)) throw noCheckpointYet();
    const known = this.#open.get(project.folder);
    if (known !== undefined) {
      const cairn = await known.cairn;
      if (known.files?.findLost() === undefined) return cairn;
      // First, because SQLite shares what it knows of a log among the handles of a process.
      await this.#forget(project, known);
    }
    return this.#openAnew(project, opening);
  }

  /** Lends a store to read. One in a folder that cannot be written is opened for this one use. */
  async read<Result>(project: Project, use: (cairn: Cairn) => Promise<Result>): Promise<Result> {
    const writable = await this.#toWriteIfPossible(project);
    if (writable !== undefined) return use(writable);
    const cairn = await this.#world.openStore(project, "read");
    try {
      return await use(cairn);
    } finally {
      await cairn.close();
    }
  }

  /** Waits for what is under way, and closes all. */
  async close(): Promise<void> {
    for (const [folder, known] of this.#open) void this.#forget({ folder }, known);
    await Promise.all(this.#closing);
  }

  async #toWriteIfPossible(project: Project): Promise<Cairn | undefined> {
    try {
      return await this.toWrite(project);
    } catch (error) {
      if (isCheckpointError(error, "not-found")) throw error;
      return undefined;
    }
  }

  async #openAnew(project: Project, opening: "create" | "write"): Promise<Cairn> {
    // Two first calls at once share one handle.
    const other = this.#open.get(project.folder);
    if (other !== undefined) return other.cairn;
    const fresh: OpenStore = { cairn: this.#world.openStore(project, opening), files: undefined };
    this.#open.set(project.folder, fresh);
    try {
      const cairn = await fresh.cairn;
      fresh.files = new StoreFiles(join(project.folder, STORE_FILE));
      return cairn;
    } catch (error) {
      this.#open.delete(project.folder);
      throw error;
    }
  }

  #forget({ folder }: Pick<Project, "folder">, known: OpenStore): Promise<void> {
    if (this.#open.get(folder) === known) this.#open.delete(folder);
    // One that never opened has told whoever asked for it; what was saved is durable, however closing goes.
    const closing = known.cairn.then((cairn) => cairn.close()).catch(() => {});
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
    return closing;
  }
}
