import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { isGoverned } from "../../../work/project/gate.ts";

/** Reads what this machine keeps for a governed project: its key and its pin. Throws `corrupt`, with a remedy, for one that is torn. */
export async function checkKeys(project: Project): Promise<void> {
  if (!hasStore(project)) return;
  const cairn = await project.stores.open(project, "read", null);
  if (!(await isGoverned(project, cairn))) return;
  const { machineKey } = await import("../keys/machine-key.ts");
  const { readPin } = await import("../ledger/pin.ts");
  const owner = { env: project.env, userId: project.machine.userId };
  const key = machineKey(owner);
  readPin(owner, (await cairn.store.identity()).id, () => key);
}
