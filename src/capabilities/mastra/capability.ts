import type { Capability } from "../../work/project/capability.ts";

/** Runs of Mastra's workflows in a Cairn store. */
export const mastra: Capability = { name: "mastra", needs: [] };
