import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Why a commit, a line or a decision is there. */
export const explain: Capability = { name: "explain", needs: [], verbs: VERBS };
