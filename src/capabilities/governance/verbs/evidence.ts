import {
  listEvidence,
  readEvidence,
  verifyEvidence,
  type EvidenceChecked,
  type EvidenceListed,
  type EvidencePackage,
} from "../exec/evidence.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { exportLedger } from "../ledger/export-ledger.ts";
import type { Project } from "../../../work/project/project.ts";
import { openGovernance } from "../project-gate/open-governance.ts";

const storeOf = async (project: Project) => (await project.stores.open(project, "read", null)).store;

/** Evidence of what was run, the newest last. */
export async function evidenceList(project: Project, limit?: number): Promise<EvidenceListed[]> {
  return listEvidence(await storeOf(project), limit);
}

/** A package as it was recorded. One that the ledger does not know, as an import could bring it, is not shown. */
export async function evidenceShow(project: Project, id: string): Promise<EvidencePackage> {
  const store = await storeOf(project);
  const [checked] = await verifyEvidence(store, id);
  if (checked?.problem === undefined) return readEvidence(store, id);
  throw new CheckpointError("corrupt", `The evidence "${id}" is damaged: ${checked.problem}`, {
    hint: "checkpoint ledger verify",
  });
}

/** Compares evidence with what the ledger says of it. */
export async function evidenceVerify(project: Project, id?: string): Promise<EvidenceChecked[]> {
  return verifyEvidence(await storeOf(project), id);
}

/** Evidence with the ledger that proves it, whole: nothing else is needed to check it. */
export async function evidenceExport(project: Project, id: string) {
  const { ledger } = await openGovernance(project, "read");
  const found = await readEvidence(ledger.store, id);
  const lines: string[] = [];
  for await (const line of exportLedger(ledger)) lines.push(line.trimEnd());
  return { schema: "cairn/evidence-archive@1" as const, id, text: JSON.stringify(found), ledger: lines };
}
