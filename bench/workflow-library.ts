import type * as Library from "../src/workflow/index.ts";

// The build, for the same reason as in library.ts.
const built = new URL("../dist/workflow/index.js", import.meta.url).href;

export const { decideRun, defineWorkflow, resumeRun, startRun } = (await import(built)) as typeof Library;
