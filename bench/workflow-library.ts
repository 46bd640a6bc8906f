import type * as Decide from "../src/capabilities/workflow/runner/decide-run.ts";
import type * as Define from "../src/capabilities/workflow/definition/define-workflow.ts";
import type * as Resume from "../src/capabilities/workflow/runner/resume-run.ts";
import type * as Start from "../src/capabilities/workflow/runner/start-run.ts";

// The build, for the same reason as in library.ts.
const built = async (file: string): Promise<unknown> =>
  import(new URL(`../dist/capabilities/workflow/${file}.js`, import.meta.url).href);

export const { decideRun } = (await built("runner/decide-run")) as typeof Decide;
export const { defineWorkflow } = (await built("definition/define-workflow")) as typeof Define;
export const { resumeRun } = (await built("runner/resume-run")) as typeof Resume;
export const { startRun } = (await built("runner/start-run")) as typeof Start;
