import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Finds words in everything that was saved. */
export const search: Capability = {
  name: "search",
  needs: [],
  verbs: VERBS,
  briefing:
    "What is not here was saved too: find it with the tool `search`, or `checkpoint search WORDS`, before you ask or guess.",
};
