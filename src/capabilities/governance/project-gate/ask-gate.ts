import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { isGoverned } from "../../../work/project/what-is-on.ts";
import { governanceOf } from "./open-governance.ts";

/** Asks the gate for what commits nothing to the project's own trails, and records it. Does nothing where nobody governs. */
export async function askGate(project: Project, action: string): Promise<void> {
  if (!hasStore(project)) return;
  if (!(await isGoverned(project, await project.stores.open(project, "read", null)))) return;
  const cairn = await project.stores.open(project, "write", null);
  const governance = await governanceOf(project, cairn);
  const { admissionFor } = await import("./governed-cairn.ts");
  await governance.act(await admissionFor(project, governance, { action }));
}
