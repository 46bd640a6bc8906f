import type { Capability } from "../../work/project/capability.ts";

/** Threads of LangGraph in a Cairn store. */
export const langgraph: Capability = {
  name: "langgraph",
  needs: [],
  foreignStates: { prefix: "thread/", load: async () => (await import("./thread-work.ts")).workOfThread },
};
