import { startWorkspace } from "../../capture/git-workspace.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { commitWork } from "../commit.ts";
import type { Context } from "../context.ts";
import { findProject, openToWrite } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";

/** Save a checkpoint of where the work stands */
export async function now(context: Context, options: OptionsOf<typeof SAVING.now>, output: Output): Promise<void> {
  const { root } = findProject(context);
  // Git looks at the files while we open the store.
  const looking = startWorkspace({ root, env: context.env });
  const { cairn, trail } = await openToWrite(context, options, output);
  const head = await trail.head();
  const earlier = head === undefined ? undefined : (await trail.load()).state.workspace;
  const { workspace, files_touched } = await looking.finish(earlier);
  const saved = await commitWork(
    { context, trail, output },
    (state) => {
      if (workspace) state.workspace = workspace as NonNullable<WorkState["workspace"]>;
      if (workspace) state.files_touched = files_touched;
      for (const [key, value] of options.var) state.variables[key] = value;
    },
    { agent: options.agent, notes: options.notes, trigger: "manual" },
  );
  output.result({ ...saved.state, ...saved.info }, saved.info.checkpoint_id);
  await cairn.close();
}
