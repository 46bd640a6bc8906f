import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Cairn } from "../../../work/state/cairn.ts";
import type { Governance } from "../gate/governance.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { Opening, Project } from "../../../work/project/project.ts";
import { governed, isGoverned } from "../../../work/project/gate.ts";

/** Where tool calls wait that were denied without an entry. */
export const undecidedFolder = ({ folder }: Pick<Project, "folder">) => join(folder, "undecided");

/** The ledger and gate of a governed project, as they are now. */
export async function openGovernance(project: Project, opening: Opening = "write"): Promise<Governance> {
  const cairn = await project.stores.open(project, opening, null);
  if (!(await isGoverned(project, cairn)))
    throw new CheckpointError("usage", "This project is not governed.", {
      hint: 'Put "governance: on" into cairn.yaml. What that means: checkpoint help governance',
    });
  const governance = await governanceOf(project, cairn);
  await governance.ledger.refresh();
  if (opening !== "read") await recordKept(project, governance);
  return governance;
}

/** What the gate denied while nothing could be recorded goes into the ledger first. */
async function recordKept(project: Project, governance: Governance): Promise<void> {
  if (!existsSync(undecidedFolder(project))) return;
  const { recordUndecided } = await import("./undecided.ts");
  await recordUndecided(project, governance);
}

const governances = new WeakMap<Cairn, Promise<Governance>>();

/** The ledger and gate of an open store, read once. */
export function governanceOf(project: Project, cairn: Cairn): Promise<Governance> {
  return governances.get(cairn) ?? rememberGovernance(cairn, readGovernance(project, cairn));
}

export function rememberGovernance(cairn: Cairn, governance: Promise<Governance>): Promise<Governance> {
  governances.set(cairn, governance);
  governed.set(cairn, async () => (await governance).ledger.pinHead());
  return governance;
}

async function readGovernance(project: Project, { store }: Cairn): Promise<Governance> {
  const { openLedger } = await import("./open-ledger.ts");
  const { Governance: Gatekeeper } = await import("../gate/governance.ts");
  return new Gatekeeper(await openLedger(project, store));
}
