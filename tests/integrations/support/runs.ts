import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineWorkflow } from "../../../src/capabilities/workflow/definition/define-workflow.ts";
import type { StepSource } from "../../../src/capabilities/workflow/definition/types.ts";
import { startRun } from "../../../src/capabilities/workflow/runner/start-run.ts";
import { openRuns } from "../../../src/capabilities/workflow/verbs/open-runs.ts";
import type { Project } from "../../../src/work/project/project.ts";

export const SHA = "0123456789abcdef0123456789abcdef01234567";

/** Makes the project a repository whose HEAD is this commit. */
export function checkOut(project: Project, sha: string): void {
  mkdirSync(join(project.root, ".git", "objects"), { recursive: true });
  mkdirSync(join(project.root, ".git", "refs"), { recursive: true });
  writeFileSync(join(project.root, ".git", "HEAD"), `${sha}\n`);
}

const SHIPPING: readonly StepSource[] = [
  { id: "plan", run: "echo planned" },
  { id: "ship", approve: "Ship it?" },
];

export async function startShipping(
  project: Project,
  { runId = "r", steps = SHIPPING }: { readonly runId?: string; readonly steps?: readonly StepSource[] } = {},
): Promise<void> {
  await startRun(await openRuns(project, "create"), defineWorkflow({ name: "shipping", steps: [...steps] }), {
    runId,
  });
}
