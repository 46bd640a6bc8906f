import { PRIVATE_NOT_SYNCED } from "../support/programs.ts";
import { FAULTS, type Mutant } from "./mutant.ts";

/** What was acknowledged stays, and what was done is not done again. */
export const ACKNOWLEDGED_MUTANTS: readonly Mutant[] = [
  {
    guard: "a private file is synced before it gets its name",
    ...PRIVATE_NOT_SYNCED,
    tests: [`${FAULTS}/state-folder.test.ts`],
    only: "file by file",
    isBuilt: true,
  },
  {
    guard: "the log is whole before a commit is acknowledged",
    file: "src/core/store/sqlite/connection.ts",
    from: "this.#assertLogWhole();\n      this.#shortenLog();",
    to: "this.#shortenLog();",
    tests: [`${FAULTS}/truncated-log.test.ts`],
  },
  {
    guard: "a salvaged store keeps its name",
    file: "src/core/store/sqlite.ts",
    from: "openDatabase({ path }, identity)",
    to: "openDatabase({ path }, identity && undefined)",
    tests: [`${FAULTS}/salvage.test.ts`],
    only: "under its name",
  },
  {
    guard: "a file behind its trail is no edit",
    file: "src/work/progress/import-progress.ts",
    from: "await findBase(trail, found)",
    to: "(await findBase(trail, found)) && known",
    tests: ["tests/workflow/progress.test.ts"],
  },
  {
    guard: "a fork ends the run that it was made from",
    file: "src/capabilities/workflow/runner/settle-origin.ts",
    from: "await cancelRun(context, run.id, { reason: `It continues as ${fork}.`, continuedAs: fork });",
    to: "void cancelRun;",
    tests: ["tests/cli/workflow-edits.test.ts"],
    isBuilt: true,
  },
  {
    guard: "a worker reads the definition of the run's own commit",
    file: "src/capabilities/workers/commit-workflows.ts",
    from: "return await load(file, checkout.root);",
    to: "return await load(file, this.#context.root);",
    tests: ["tests/postgres/workers.test.ts"],
    only: "own commit",
    isBuilt: true,
  },
];
