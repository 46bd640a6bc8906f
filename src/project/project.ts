import type { Cairn } from "../checkpoints/cairn.ts";
import type { Environment } from "../capture/environment.ts";
import type { Actor } from "./actor.ts";
import type { ProjectFolder } from "./find-project.ts";

/** What a verb says beside its result: every door shows it in its own way. */
export interface Notices {
  /** Something worth knowing that was not asked for. */
  message(text: string): void;
  /** Something that deserves attention. */
  warning(text: string): void;
}

/** The process that acts, and the machine that it runs on. */
export interface Machine {
  readonly pid: number;
  /** The name of this machine. */
  readonly host: string;
  /** The name that the system knows the user by; empty where it knows none. */
  readonly userName: string;
  /** Undefined where the system has no such thing. */
  readonly userId: number | undefined;
  /** Sends a signal: to a whole group of processes when the id is negative. */
  readonly kill: (pid: number, signal: "SIGTERM" | "SIGKILL") => void;
}

/** How a store is wanted: to look at, to write where there is one, or to write and made where there is none. */
export type Opening = "read" | "write" | "create";

/** The stores that are open. */
export interface Stores {
  /** The project's store. Whoever gets it never closes it. */
  open(project: Project, opening: Opening): Promise<Cairn>;
  /**
   * Waits for what is under way, and closes all. Closing moves a store's log into its main file, which takes longer
   * than a commit; a process that ends anyway may leave logs that are shorter than `logBytes`, which are as safe.
   */
  close(options?: { readonly logBytes?: number }): Promise<void>;
}

/**
 * A project as somebody works in it: what every verb gets first. Doors make one for each call; what it costs to keep,
 * the open stores, they share among calls.
 */
export interface Project extends ProjectFolder {
  readonly actor: Actor;
  readonly env: Environment;
  readonly now: () => Date;
  readonly machine: Machine;
  readonly stores: Stores;
  readonly notices: Notices;
}
