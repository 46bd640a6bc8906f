import { join } from "node:path";

import { openCairn } from "../../../src/checkpoints/cairn.ts";
import { defineWorkflow } from "../../../src/workflow/definition/define-workflow.ts";
import { resumeRun } from "../../../src/workflow/runner/resume-run.ts";
import { startRun } from "../../../src/workflow/runner/start-run.ts";
import { CRASH_WORKFLOW } from "./crash-workflow.ts";

/** Starts or resumes the run `crash` in the folder given, and says how it ended. */
const [root = "."] = process.argv.slice(2);
const folder = join(root, ".cairn");
const cairn = await openCairn({ path: folder });
const context = {
  cairn,
  root,
  folder,
  env: process.env,
  now: () => new Date(),
  pid: process.pid,
  host: "test",
  kill: (pid: number, signal: NodeJS.Signals) => void process.kill(pid, signal),
};
const workflow = defineWorkflow(CRASH_WORKFLOW);
const isNew = (await cairn.store.head("run/crash")) === undefined;
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
const run = isNew
  ? await startRun(context, workflow, { runId: "crash" })
  : await resumeRun(context, "crash", { workflow });
process.stdout.write(`${JSON.stringify({ status: run.status })}\n`);
await cairn.close();
