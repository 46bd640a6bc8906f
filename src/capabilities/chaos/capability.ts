import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Tests of a workflow under faults. */
export const chaos: Capability = { name: "chaos", needs: ["workflow"], verbs: VERBS };
