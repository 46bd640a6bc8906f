import { elsewhereOf } from "./elsewhere.ts";
import type { Runs } from "../../work/project/runs.ts";

/** The runs, as the project asks for them. What only some commands need is loaded when they do. */
export const projectRuns: Runs = {
  async waiting(project, cairn) {
    const { waitingRuns } = await import("./verbs/waiting-runs.ts");
    const elsewhere = project.shared && (await elsewhereOf(project));
    const { folder } = project;
    const others = elsewhere && {
      leases: elsewhere.leases({ folder, host: project.machine.host }),
      unfinishedTrails: () => elsewhere.unfinishedTrails(),
    };
    return waitingRuns(project, { cairn, folder, ...others });
  },

  async unfinished(project) {
    const { unfinishedRuns } = await import("./verbs/waiting-runs.ts");
    const { openRuns } = await import("./verbs/open-runs.ts");
    return unfinishedRuns(project, await openRuns(project, "read"));
  },

  async ids(cairn) {
    const { runIds } = await import("./runner/examine-run.ts");
    return runIds({ cairn }, "", 1000);
  },

  async steps(cairn, run) {
    const { readRun } = await import("./runner/examine-run.ts");
    const { findRunId } = await import("./runner/find-run-id.ts");
    const { definition } = await readRun({ cairn }, await findRunId({ cairn }, run));
    return definition.filter(({ kind }) => kind !== "join").map(({ id }) => id);
  },

  async importPipeline(project, found) {
    const { importAsRun } = await import("./verbs/import-as-run.ts");
    return importAsRun(project, found);
  },
};
