import { defineWorkflow } from "../../../src/capabilities/workflow/definition/define-workflow.ts";
import { resumeRun } from "../../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../../src/capabilities/workflow/runner/start-run.ts";
import { openContext } from "../support/context.ts";
import { CRASH_WORKFLOW } from "./crash-workflow.ts";

/** Starts or resumes the run `crash` in the folder given, and says how it ended. */
const [root = "."] = process.argv.slice(2);
const { context, close } = await openContext(root);
const workflow = defineWorkflow(CRASH_WORKFLOW);
const isNew = (await context.cairn.store.head("run/crash")) === undefined;
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
const run = isNew
  ? await startRun(context, workflow, { runId: "crash" })
  : await resumeRun(context, "crash", { workflow });
process.stdout.write(`${JSON.stringify({ status: run.status })}\n`);
await close();
