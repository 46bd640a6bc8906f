import { loadWorkflow } from "../../../src/capabilities/workflow/definition/load-workflow.ts";
import { startRun } from "../../../src/capabilities/workflow/runner/start-run.ts";
import { openContext } from "../support/context.ts";

/** Runs w.yaml of the folder given as run `r`, and says how that ended. */
const [root = ".", ...flags] = process.argv.slice(2);
const { context, close } = await openContext(root);
try {
  const run = await startRun(context, await loadWorkflow("w.yaml", { cwd: root }), {
    runId: "r",
    waitForApproval: flags.includes("--wait"),
  });
  process.stdout.write(`${run.status}\n`);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
await close();
