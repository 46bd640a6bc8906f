import type { Mutation } from "../support/programs.ts";

/** A guard of ours that is taken away, and the tests that must notice. */
export interface Mutant extends Mutation {
  readonly guard: string;
  readonly tests: readonly string[];
  /** Only the tests whose name fits. */
  readonly only?: string;
  /** The tests run the built command or page, so it is built with the mutant in it. */
  readonly isBuilt?: boolean;
}

export const FAULTS = "tests/faults";
