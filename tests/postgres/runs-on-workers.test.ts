import { vi } from "vitest";

import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import { runWorkflowTests } from "./support/workflow-tests.ts";

// What a command does on a shared store, with a worker in this process.
vi.mock(import("../../src/capabilities/workflow/runner/start-run.ts"), async (original) => ({
  ...(await original()),
  startRun: (...args) => startAtWorkers(...args),
}));
vi.mock(import("../../src/capabilities/workflow/runner/resume-run.ts"), async (original) => {
  const { resumeRun, ...others } = await original();
  return {
    ...others,
    resumeRun: async (context, id, options) => {
      const { runs_on } = await readRun(context, id);
      // What was imported is run by whoever resumes it.
      const resume = runs_on === "workers" ? resumeAtWorkers : resumeRun;
      return resume(context, id, options);
    },
  };
});
vi.mock(import("../../src/capabilities/workflow/runner/decide-run.ts"), async (original) => {
  const { decideRun, ...others } = await original();
  return {
    ...others,
    decideRun: async (context, ...args) => {
      const decided = await decideRun(context, ...args);
      await followUp(context, decided.run);
      return decided;
    },
  };
});
vi.mock(import("../../src/capabilities/workflow/runner/cancel-run.ts"), async (original) => {
  const { cancelRun } = await original();
  return {
    cancelRun: async (context, ...args) => {
      const run = await cancelRun(context, ...args);
      await followUp(context, run);
      return run;
    },
  };
});

const { followUp, resumeAtWorkers, startAtWorkers } = await import("./support/on-workers.ts");

const SECRETS = "workers have secrets in their own environment, so nobody is asked";
const MARKED = "it pauses a step 60 ms after it was marked, when a worker may not have taken it yet";
const PHASES = [
  "REQUIREMENTS",
  "ARCHITECTURE, designs",
  "ARCHITECTURE, final design",
  "IMPLEMENTATION",
  "VERIFICATION",
  "REFLECTION",
];
const FILES = "the files of workers are in the store, by their hashes: what lies in a folder is a copy";

/** Workers, and the state of their runs in PostgreSQL. */
await runWorkflowTests(["approvals"], {
  files: {
    recovery: "it is about the process of a runner, its lock and what it left on this machine",
    crash: "it kills runners; workers are killed in a campaign of their own",
    library: "it opens a store by its path",
  },
  tests: {
    "reaches the command, never the store, and is asked for again at a resume": SECRETS,
    "that nobody gave is taken from the definition again; one that was given is asked for": SECRETS,
    "of ten plain steps leaves exactly five checkpoints, and one commit for each step":
      "a run for workers is there before its first step is marked, which is one commit more",
    "folds results that arrive together into one commit":
      "the first to report commits at once; only what arrives during that is committed together",
    "starts nothing further when a result cannot be saved, and names the step":
      "a worker goes on trying, because the store may come back",
    "is asked again when what was approved has changed before anything was built on it": FILES,
    "that are missing or changed are named with the step that made them, and stop a resume": FILES,
    "is accepted when a person vouches for it": FILES,
    "clean-up: a dry run removes nothing, a real one removes old failed runs with a report":
      "workers leave nothing on their machines that could be freed",
    "langgraph: steps written by one program were lost when another resumed without their code":
      "the code of functions is where workers are, not where somebody resumes",
    ...Object.fromEntries(
      PHASES.map((phase) => [`${phase}: a finished output advances, a missing one runs again`, MARKED]),
    ),
    "checksum validation: what was saved loads and validates; a corrupted state is an integrity error, archived and never deleted":
      "it damages the file of a store",
  },
});
