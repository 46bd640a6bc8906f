import { ACKNOWLEDGED_MUTANTS } from "./acknowledged.ts";
import { BOUNDS_MUTANTS } from "./bounds.ts";
import { GATE_MUTANTS } from "./gate.ts";
import type { Mutant } from "./mutant.ts";
import { PAGE_MUTANTS } from "./page.ts";
import { REMOTE_MUTANTS } from "./remotes.ts";
import { STORE_MUTANTS } from "./store.ts";
import { WORKER_MUTANTS } from "./workers.ts";

export const MUTANTS: readonly Mutant[] = [
  ...STORE_MUTANTS,
  ...ACKNOWLEDGED_MUTANTS,
  ...BOUNDS_MUTANTS,
  ...GATE_MUTANTS,
  ...REMOTE_MUTANTS,
  ...PAGE_MUTANTS,
  ...WORKER_MUTANTS,
];
