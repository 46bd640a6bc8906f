import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { MUTANTS } from "../proof/mutants/all.ts";
import { mutate, NOT_RECORDED, NOT_SYNCED } from "../proof/support/programs.ts";

// The proof runs for hours and rarely. Whoever rewrites a guard learns here that its mutant has to follow.
it.each([...MUTANTS, ...NOT_SYNCED, NOT_RECORDED])("the mutant of $file finds its guard: $from", (mutant) => {
  const text = readFileSync(mutant.file, "utf8");
  expect(mutate(text, mutant)).not.toBe(text);
});

it.each(MUTANTS)("the tests that must notice are there: $guard", ({ tests }) => {
  expect(tests.filter((file) => !existsSync(file))).toEqual([]);
});
