import type { Cairn } from "../state/cairn.ts";
import type { Environment } from "../machine/environment.ts";
import type { Machine } from "../machine/this-machine.ts";
import type { Actor } from "./actor.ts";
import type { Capability } from "./capability.ts";
import type { AskedAction } from "./gate.ts";
import type { Closable } from "./kept-open.ts";
import type { SharedStore } from "./shared-store.ts";

/** Messages that accompany a verb's result. Each door shows it in its own way. */
export interface Notices {
  /** Something worth knowing that was not asked for. */
  message(text: string): void;
  /** Something that deserves attention. */
  warning(text: string): void;
}

/** Open the store to read, to write if it exists, or to write and create it if needed. */
export type Opening = "read" | "write" | "create";

/** The stores that are open. */
export interface Stores {
  /**
   * The project's store. The caller never closes it. Where the project is governed, every commit asks the gate for
   * `action`, and is recorded; null is for what asks the gate itself.
   */
  open(project: Project, opening: Opening, action?: string | AskedAction | null): Promise<Cairn>;
  /** What a capability keeps open beside the stores: opened by the first who asks for `name`, and closed with them. */
  keepOpen<Kept extends Closable>(name: string, open: () => Promise<Kept>): Promise<Kept>;
  /**
   * Waits for pending work, then closes all stores. Closing moves a store's log into its main file, which takes longer
   * than a commit. A process that is about to end may leave logs shorter than `logBytes`: they are just as safe.
   */
  close(options?: { readonly logBytes?: number }): Promise<void>;
}

/** Where a project is. */
export interface ProjectFolder {
  readonly root: string;
  /** `.cairn`, which holds the store. */
  readonly folder: string;
  /** The store on a server that takes the place of the one in `folder`. */
  readonly shared?: SharedStore | undefined;
}

/**
 * A project as one caller works in it: the first argument of every verb. A door makes one per call; only the open stores
 * are shared between calls.
 */
export interface Project extends ProjectFolder {
  readonly actor: Actor;
  readonly env: Environment;
  readonly now: () => Date;
  readonly machine: Machine;
  readonly stores: Stores;
  /** What this build can do besides saving and looking. */
  readonly capabilities: readonly Capability[];
  readonly notices: Notices;
}
