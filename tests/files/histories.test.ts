import { describe, expect, it } from "vitest";
import { runHistory } from "./support/history.ts";

/** A thousand run in `proof`. */
const BATCHES = Array.from({ length: 8 }, (_, batch) =>
  Array.from({ length: 5 }, (_each, at) => 1 + at + 5 * batch),
);

describe("random histories of a project's files", () => {
  // They wait for the disk most of the time.
  it.each(BATCHES)("with git, seeds %i, %i, %i, %i and %i", async (...seeds) => {
    expect((await Promise.all(seeds.map((seed) => runHistory(seed)))).flat()).toEqual([]);
  });

  it("without git", async () => {
    const found = await Promise.all([1, 2, 3, 4, 5].map((seed) => runHistory(seed, { hasGit: false })));
    expect(found.flat()).toEqual([]);
  });
});
