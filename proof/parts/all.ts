import type { Part } from "../support/part.ts";
import { powerCuts } from "./power-cuts.ts";

/** In the order of the published table. */
export const PARTS: readonly Part[] = [powerCuts];
