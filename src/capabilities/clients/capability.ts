import type { Capability } from "../../work/project/capability.ts";

/** Agent clients: their set-up, and the archive of their transcripts. */
export const clients: Capability = { name: "clients", needs: [] };
