import { describe, expect, it } from "vitest";

import type { Store } from "../../src/core/store/contract.ts";
import { openMapStore } from "../../examples/store/memory-store.ts";
import { runSuite } from "./run-suite.ts";

describe("store suite", () => {
  it("passes for a store that keeps its promises, also over several handles and openings", async () => {
    const { failed, leftOut } = await runSuite(openUnclosable, lastingOptions);
    expect({ failed, leftOut }).toEqual({ failed: [], leftOut: [] });
  });

  it("says what it leaves out, and why", async () => {
    const { leftOut } = await runSuite(openMapStore, { only: "none of them" });
    expect(leftOut).toContain(
      "finds everything again after it was closed [left out: testStore was called without reopen]",
    );
    expect(leftOut.filter((name) => name.includes("without openSecond")).length).toBeGreaterThan(0);
  });

  it("notices a store that forgets everything when it is closed", async () => {
    const only = "finds everything again after it was closed";
    const { failed } = await runSuite(openUnclosable, { ...lastingOptions, reopen: openUnclosable, only });
    expect(failed).toEqual([only]);
  });

  it("notices handles that do not share their data", async () => {
    const only = "shows a second handle at once what the first committed";
    const { failed } = await runSuite(openMapStore, { openSecond: openMapStore, only });
    expect(failed).toEqual([only]);
  });

  it("names the seed when a random walk fails", async () => {
    const open = async () => Object.assign(await openMapStore(), { tombstone: async () => undefined });
    const only = "behaves like its model for 150 random steps (walk 1)";
    const { errors } = await runSuite(open, { seed: 77, only });
    expect(errors.get(only)).toContain("seed: 77");
  });
});

/** Stays open, so that the tests about reopening and second handles can run on plain memory. */
async function openUnclosable(): Promise<Store> {
  return Object.assign(await openMapStore(), { close: async () => undefined });
}

const CLOSING = "refuses every call after it was closed, with the error usage";
const sameStore = async (store: Store) => store;
const lastingOptions = { reopen: sameStore, openSecond: sameStore, leaveOut: CLOSING };
