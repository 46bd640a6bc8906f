import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import type { CommittedWorkflow } from "../../workflow/elsewhere.ts";
import type { Run } from "../../workflow/run/run-state.ts";

/** What a run of workers would be moved to. */
export async function workflowAtCommit(
  workflows: WorkflowContext,
  run: Run,
  name: string,
): Promise<CommittedWorkflow> {
  const { findCommit } = await import("../worktree.ts");
  const { CommitWorkflows } = await import("../commit-workflows.ts");
  const commit = await findCommit(workflows, name);
  const { openWorkerFolder } = await import("../worker-folder.ts");
  const folder = await openWorkerFolder(workflows, `resume-${workflows.pid}-${workflows.now().getTime()}`);
  const definitions = new CommitWorkflows({ ...workflows, folder: folder.path });
  try {
    const workflow = await definitions.workflowOf({ ...(run.file && { file: run.file }), git_head: commit });
    if (workflow?.name !== run.workflow) throw notDefined(run, commit);
    return { commit, workflow };
  } finally {
    await definitions.close();
    await folder.remove();
  }
}

function notDefined({ id, file, workflow }: Run, commit: string): CheckpointError {
  return new CheckpointError(
    "usage",
    `Commit ${commit.slice(0, 12)} does not define the workflow "${workflow}"${file === undefined ? "" : ` in "${file}"`}.`,
    { hint: `Name another commit: checkpoint resume ${id} --to COMMIT`, details: { run: id, commit } },
  );
}
