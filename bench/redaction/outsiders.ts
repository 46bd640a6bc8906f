import { readFileSync } from "node:fs";

import type { Sample } from "./samples.ts";

/**
 * Secrets in 408 formats and places, in two lists by authors who had seen neither the rules nor each other's list. Nobody has
 * looked at what is missed in them, and nothing was tuned by them. In base64, because scanners take
 * made-up keys for real ones.
 */
export const OUTSIDERS: readonly Sample[] = (
  JSON.parse(
    Buffer.from(readFileSync(new URL("outsiders.txt", import.meta.url), "latin1"), "base64").toString(),
  ) as readonly { readonly name: string; readonly text: string; readonly secret: string }[]
).map((sample) => ({ ...sample, hidden: sample.secret, isTelling: false }));
