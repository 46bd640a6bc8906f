import type { Capability } from "../../work/project/capability.ts";

/** Redis or Valkey, for what may be forgotten. */
export const cache: Capability = { name: "cache", needs: [] };
