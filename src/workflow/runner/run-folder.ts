import { dirname, join, resolve } from "node:path";

import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";

/** Where the locks and attempts of a run are. */
export const runFolder = ({ folder }: Pick<WorkflowContext, "folder">, id: string): string =>
  join(folder, "runs", id);

/** The folder of the workflow's file, where the scripts that belong to it usually are. */
export const workflowFolder = ({ root }: WorkflowContext, { file }: Pick<Run, "file">): string =>
  file === undefined ? root : dirname(resolve(root, file));
