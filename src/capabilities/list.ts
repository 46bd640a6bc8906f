import type { Capability } from "../work/project/capability.ts";
import { governance } from "./governance/capability.ts";
import { sync } from "./sync/capability.ts";
import { workflow } from "./workflow/capability.ts";

/** Every capability of this build. A folder that is deleted loses its two lines here. */
export const CAPABILITIES: readonly Capability[] = [governance, sync, workflow];
