import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

const ALONE: readonly string[] = ["prompt", "stop", "failure"];
const SERVED: readonly string[] = [...ALONE, "start", "tools", "agent-stop", "before-compaction", "end"];

/** What agents lose most work by. */
const DESTROYING = [
  [/\b(?:rm|rmdir|mv|unlink|shred|truncate)\b/],
  [/\bgit\b/, /\b(?:checkout|restore|reset|clean|stash|switch)\b/],
  [/\bfind\b/, /-delete\b/],
];

/** Each word is looked for by itself: one pattern for all takes seconds for a long command. */
const destroys = (command: string) => DESTROYING.some((words) => words.every((word) => word.test(command)));

/** Snapshots of the project's files, no matter what changed them, and the way back to one. */
export const files: Capability = {
  name: "files",
  needs: [],
  verbs: VERBS,
  events: {
    // A server looks after it has answered. A hook's process, for which the client waits, does so where a turn begins or ends.
    wants: ({ moment, isServed, command = "" }) =>
      moment === "before-tool" ? destroys(command) : (isServed ? SERVED : ALONE).includes(moment),
    load: async () => (await import("./session-listener.ts")).sessionListener,
  },
  statusNotes: async () => (await import("./status-notes.ts")).statusNotes,
  retention: async () => (await import("./retention.ts")).removeWithCheckpoints,
  snapshots: async () => (await import("./kept-files.ts")).keptFiles,
};
