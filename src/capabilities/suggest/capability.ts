import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** What the record suggests to do next. */
export const suggest: Capability = {
  name: "suggest",
  needs: ["bugs"],
  verbs: VERBS,
  advice: async () => (await import("./advice.ts")).advice,
};
