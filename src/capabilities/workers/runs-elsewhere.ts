import { isCheckpointError } from "../../core/errors.ts";
import type { Project } from "../../work/project/project.ts";
import type { RunsElsewhere } from "../workflow/elsewhere.ts";
import { clusterOf } from "./cluster-of.ts";
import { serverLeases } from "./server-leases.ts";

/** The runs of a project's shared store, as workflows ask for them. */
export async function runsElsewhere(project: Project): Promise<RunsElsewhere | undefined> {
  const cluster = await clusterOf(project);
  if (cluster === undefined) return undefined;
  const { database, heads } = cluster;
  return {
    async start(context, workflow, options) {
      const { startOnWorkers } = await import("./run-on-workers.ts");
      return startOnWorkers(context, cluster, workflow, options);
    },

    async submit(context, workflow, options) {
      const { submitRun } = await import("./submit-run.ts");
      return submitRun(context, cluster, workflow, options);
    },

    async resume(context, id, options) {
      const { resumeOnWorkers } = await import("./run-on-workers.ts");
      return resumeOnWorkers(context, cluster, id, options);
    },

    async workflowAtCommit(context, run, name) {
      const { workflowAtCommit } = await import("./verbs/committed-workflow.ts");
      return workflowAtCommit(context, run, name);
    },

    async unfinishedTrails() {
      const { findUnfinished } = await import("./claims.ts");
      return findUnfinished(database);
    },

    async whyWaiting(run) {
      const { whyWaiting } = await import("./why-waiting.ts");
      return whyWaiting(database, run);
    },

    leases: (context) => serverLeases(database, context),

    async move(context, run) {
      const { moveIfOnWorkers } = await import("./run-on-workers.ts");
      try {
        await moveIfOnWorkers(context, cluster, run);
      } catch (error) {
        // What was decided is in the store. That must not look as if it were not.
        if (!isCheckpointError(error) || error.details?.["store"] !== "unreachable") throw error;
        project.notices.warning(
          `It is recorded, but the workers could not be told: they notice by themselves. ${error.message}`,
        );
      }
    },

    nextHead: (trail, known, signal) => heads.next(trail, known, signal),

    async readLogs(run, known) {
      const { readLogs } = await import("./attempt-logs.ts");
      return readLogs(database, run, known);
    },

    async work(context, { queue, ...options }) {
      const { Worker } = await import("./worker.ts");
      await new Worker(context, cluster, { ...options, queues: [queue] }).run();
    },

    async fetchFile(root, artifact) {
      const { download } = await import("./blobs.ts");
      await download(database, root, artifact);
    },
  };
}
