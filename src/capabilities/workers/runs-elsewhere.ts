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

    leases: (context) => serverLeases(database, context),

    async move(context, run) {
      const { moveIfOnWorkers } = await import("./run-on-workers.ts");
      await moveIfOnWorkers(context, cluster, run);
    },

    nextHead: (trail, known, signal) => heads.next(trail, known, signal),

    async readLogs(run, known) {
      const { readLogs } = await import("./run-attempt.ts");
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
