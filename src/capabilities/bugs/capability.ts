import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** The distinct problems behind failing checks and commands. */
export const bugs: Capability = { name: "bugs", needs: [], verbs: VERBS };
