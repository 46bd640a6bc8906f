import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** What other services are told of a project, and what they answer. Each service is a capability of its own. */
export const integrations: Capability = { name: "integrations", needs: ["vault", "workflow"], verbs: VERBS };
