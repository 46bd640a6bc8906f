import { createHmac } from "node:crypto";

import { CheckpointError } from "../errors.ts";

/** Consonants only, so that a marker never spells a word; 20^12 possibilities. */
const ALPHABET = "bcdfghjklmnpqrstvwxz";
const MARKER_LENGTH = 12;
const SHORTEST_KEY = 16;

/**
 * The marker around recorded content. It depends on the content and on the store's random key: equal content
 * gives equal bytes, whoever writes content cannot know its marker, and a marker seen earlier belongs to
 * other content. It never occurs inside.
 */
export function fenceMarker(key: Uint8Array, content: string): string {
  if (key.length < SHORTEST_KEY) {
    throw new CheckpointError("usage", `A handoff needs a key of ${SHORTEST_KEY} bytes or more, not ${key.length}.`, {
      hint: "Pass the store's own random key.",
    });
  }
  for (let attempt = 0; ; attempt += 1) {
    const marker = markerOf(createHmac("sha256", key).update(`handoff ${attempt}\n`).update(content).digest());
    if (!content.includes(marker)) return marker;
  }
}

function markerOf(digest: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(digest).toString("hex")}`);
  let marker = "";
  while (marker.length < MARKER_LENGTH) {
    marker += ALPHABET[Number(rest % 20n)];
    rest /= 20n;
  }
  return marker;
}

/** A marker like any other, for measuring what the fence will cost before the content is known. */
export const SAMPLE_MARKER: string = "kvqzbtrmwhxd";
