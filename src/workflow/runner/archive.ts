import type { WorkflowContext } from "../context.ts";

export async function thinArchives(_context: WorkflowContext, _workflow: string): Promise<void> {}
