import { createHmac } from "node:crypto";

import { CheckpointError } from "../../../core/errors.ts";

/** Digits, because every tokenizer cuts them predictably; 40 bits, and only one guess. */
const MARKER_LENGTH = 12;
const SHORTEST_KEY = 16;

/**
 * The marker around recorded content. It depends on the content and on the store's random key: equal content gives
 * equal bytes, an author of content cannot know its marker, and a marker seen earlier belongs to other content. It
 * never occurs inside.
 */
export function fenceMarker(key: Uint8Array, content: string): string {
  if (key.length < SHORTEST_KEY) {
    throw new CheckpointError(
      "usage",
      `A handoff needs a key of ${SHORTEST_KEY} bytes or more, not ${key.length}.`,
      { hint: "Pass the store's own random key." },
    );
  }
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHmac("sha256", key).update(`handoff ${attempt}\n`).update(content).digest();
    const number = digest.readBigUInt64BE() % 10n ** BigInt(MARKER_LENGTH);
    const marker = String(number).padStart(MARKER_LENGTH, "0");
    if (!content.includes(marker)) return marker;
  }
}
