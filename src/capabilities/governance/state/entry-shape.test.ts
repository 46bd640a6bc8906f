import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../../core/objects/json.ts";
import { applyEntry } from "./apply-entry.ts";
import { ANY_AUTHORITY } from "./decrees.ts";
import { emptyState } from "./governance-state.ts";

const BY = { at: "2026-02-14T10:30:00Z", agent: "ada" };

function after(...entries: readonly JsonObject[]) {
  const state = emptyState();
  for (const [index, entry] of entries.entries())
    applyEntry(state, { storeId: "s", authority: ANY_AUTHORITY }, { number: index + 1, entry });
  return state;
}

/** Whoever can write to the store can append these. */
const BROKEN: Readonly<Record<string, JsonObject>> = {
  "no type": { ...BY },
  "an inherited type": { ...BY, type: "constructor" },
  "no time": { type: "revocation", agent: "ada" },
  "a tier that is no number": { ...BY, type: "demotion", to: "none" },
  "a tier beyond all others": { ...BY, type: "demotion", to: -1 },
  "no tier": { ...BY, type: "demotion", to: null },
  "an approval of nothing": { ...BY, type: "approval", request: "r1" },
  "an authority without a key": {
    ...BY,
    type: "authority",
    serial: 1,
    authority: { key: "k", signature: "s" },
  },
  "a key that cannot be read": {
    ...BY,
    type: "authority",
    serial: 1,
    public_key: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
    authority: { key: "k", signature: "s" },
  },
  "a signature that is nothing": { ...BY, type: "promotion", to: 2, serial: 1, authority: null },
  "a place that is nothing": { ...BY, type: "promotion", to: 2, serial: 1, on: null },
  "a request without a name": { ...BY, type: "request", action: "x" },
};

describe("an entry that is not whole", () => {
  it.each(Object.entries(BROKEN))("changes nothing, and is listed as forged: %s", (_, entry) => {
    const before = after({ ...BY, type: "registration", token: "t" });
    const { forged, ...state } = after({ ...BY, type: "registration", token: "t" }, entry);
    expect(forged).toHaveLength(1);
    expect({ ...state, forged: [] }).toEqual(before);
  });
});
