import { hostname, userInfo } from "node:os";

import type { Environment } from "./environment.ts";

/** The process that acts, and the machine that it runs on. */
export interface Machine {
  readonly pid: number;
  /** The name of this machine. */
  readonly host: string;
  /** The user's name; empty where the system knows none. */
  readonly userName: string;
  /** Undefined on systems without numeric user ids. */
  readonly userId: number | undefined;
  /** Sends a signal: to a whole process group when the id is negative. */
  readonly kill: (pid: number, signal: "SIGTERM" | "SIGKILL") => void;
  /** Has something done when this process exits. Returns a function that takes it back. */
  readonly onExit: (act: () => void) => () => void;
}

/** This process and its machine. Host and user are looked up only when read. */
export const thisMachine: Machine = {
  pid: process.pid,
  get host() {
    return hostname();
  },
  get userName() {
    try {
      return userInfo().username;
    } catch {
      // A user id without a name, as containers have them.
      return "";
    }
  },
  userId: process.geteuid?.(),
  kill: (pid, signal) => process.kill(pid, signal),
  onExit: (act) => {
    process.once("exit", act);
    return () => process.off("exit", act);
  },
};

export const thisEnvironment: Environment = process.env;
