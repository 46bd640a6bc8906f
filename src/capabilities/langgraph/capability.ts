import type { Capability } from "../../work/project/capability.ts";

/** Threads of LangGraph in a Cairn store. */
export const langgraph: Capability = { name: "langgraph", needs: [] };
