import { join } from "node:path";

import { openCairn } from "../../../src/checkpoints/cairn.ts";
import { loadWorkflow } from "../../../src/workflow/definition/load-workflow.ts";
import { startRun } from "../../../src/workflow/runner/start-run.ts";

/** Runs w.yaml of the folder given as run `r`, and says how that ended. */
const [root = ".", ...flags] = process.argv.slice(2);
const folder = join(root, ".cairn");
const cairn = await openCairn({ path: folder });
const kill = (pid: number, signal: NodeJS.Signals) => void process.kill(pid, signal);
const context = {
  cairn,
  root,
  folder,
  env: process.env,
  now: () => new Date(),
  pid: process.pid,
  host: "test",
  kill,
};
try {
  const run = await startRun(context, await loadWorkflow("w.yaml", { cwd: root }), {
    runId: "r",
    waitForApproval: flags.includes("--wait"),
  });
  process.stdout.write(`${run.status}\n`);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
await cairn.close();
