import { startWorkspace } from "../../../work/capture/git/git-workspace.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import type { Workflow } from "../../workflow/definition/types.ts";
import type { Run } from "../../workflow/run/run-state.ts";
import type { Project } from "../../../work/project/project.ts";

/** A commit, and a run's workflow as that commit defines it. */
export interface CommittedWorkflow {
  readonly commit: string;
  readonly workflow: Workflow;
}

/** What a run of workers would be moved to. */
export async function workflowAtCommit(
  workflows: WorkflowContext,
  run: Run,
  name: string,
): Promise<CommittedWorkflow> {
  if (run.runs_on !== "workers") throw notForWorkers(run);
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

/** The file of a workflow, if git says that it is not committed as it is: workers read the committed one. */
export async function uncommittedFile(project: Project, { file }: Workflow): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const { root, env } = project;
  const { files_touched } = await startWorkspace({ root, env }).finish();
  return files_touched.includes(file) ? file : undefined;
}

function notForWorkers({ id }: Run): CheckpointError {
  return new CheckpointError(
    "usage",
    `Run "${id}" is not done by workers: it uses the files as they are now.`,
    {
      hint: `Without --to: checkpoint resume ${id}`,
      details: { run: id },
    },
  );
}

function notDefined({ id, file, workflow }: Run, commit: string): CheckpointError {
  return new CheckpointError(
    "usage",
    `Commit ${commit.slice(0, 12)} does not define the workflow "${workflow}"${file === undefined ? "" : ` in "${file}"`}.`,
    { hint: `Name another commit: checkpoint resume ${id} --to COMMIT`, details: { run: id, commit } },
  );
}
