import { join } from "node:path";

/** The most that every system takes as the path of a socket. */
const LONGEST_PATH = 100;

/**
 * Where a server that is running takes the events of a project's hooks, which saves them the time to open the store.
 * The folder is the user's own and closed to others. Undefined where its path is too long.
 */
export function eventSocket(folder: string): string | undefined {
  const path = join(folder, "events.sock");
  return Buffer.byteLength(path) <= LONGEST_PATH ? path : undefined;
}

/** What a hook hands over before the event itself: one line of JSON. */
export interface HandedOver {
  /** Of the program: another one may mean something else by the same words. */
  readonly version: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly parentPid: number;
  readonly client?: string | undefined;
  readonly event?: string | undefined;
  /** How many bytes of the event follow. */
  readonly bytes: number;
}

/** What the hook is to print: one line of JSON. */
export interface HandedBack {
  readonly stdout: string;
  readonly stderr: string;
}
