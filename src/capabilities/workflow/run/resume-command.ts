import { isUnbound, type Run } from "./run-state.ts";

/** The command that resumes a run. What the steps of an imported one run must be given. */
export const resumeCommandOf = (run: Run): string =>
  `checkpoint resume ${run.id}${isUnbound(run) ? " --workflow FILE" : ""}`;
