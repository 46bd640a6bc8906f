import { runWorkflowTests } from "./support/workflow-tests.ts";

/** A runner on this machine, and the state of its runs in PostgreSQL. Approvals are tried with workers. */
await runWorkflowTests(["running", "recovery"], {
  files: { library: "it opens a store by its path" },
  tests: {
    "checksum validation: what was saved loads and validates; a corrupted state is an integrity error, archived and never deleted":
      "it damages the file of a store",
  },
});
