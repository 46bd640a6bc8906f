import type { Capability } from "../../work/project/capability.ts";

/** Secrets and keys in Vault or OpenBao. */
export const vault: Capability = { name: "vault", needs: [] };
