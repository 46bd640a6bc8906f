import { hostname, userInfo } from "node:os";
import type { Machine } from "./project.ts";

/** The process that runs this, and its machine. What is rarely asked for is found out when it is. */
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
};
