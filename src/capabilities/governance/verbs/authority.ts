import {
  currentKey,
  draftStatement,
  establishAuthority,
  signStatement,
  submitStatement,
  type Statement,
} from "../gate/authority.ts";
import { Governance } from "../gate/governance.ts";
import { pinFile } from "../../../work/project/pin-file.ts";
import { readPin } from "../ledger/pin.ts";
import { keyFingerprint, type Signer } from "../keys/signature.ts";
import type { LedgerEntry } from "../state/entry.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { LogHead } from "../../../core/store/contract.ts";
import type { Project } from "../../../work/project/project.ts";
import { askGate } from "../../../work/project/gate.ts";
import { admissionFor } from "../project-gate/governed-cairn.ts";
import { openLedger } from "../project-gate/open-ledger.ts";
import { openGovernance, rememberGovernance } from "../project-gate/open-governance.ts";

/**
 * Who signs with the key of this fingerprint: one that is at hand, or nobody here, where somebody else signs what is
 * printed. There is no key to name before an authority was made.
 */
export type Signing = (key: string | undefined) => Promise<Signer> | undefined;

/** What the authority said, or, where nobody here can sign, what it should sign. */
export interface DecreeResult {
  readonly entry: LedgerEntry | null;
  readonly unsigned: Statement | null;
}

export type AuthorityReport = ReturnType<typeof report>;

/** Who can raise agents here. */
export async function authorityShow(project: Project): Promise<AuthorityReport> {
  return report(project, await openGovernance(project, "create"));
}

/** Makes a key the authority of this store. Later, only that key can name another. */
export async function authorityInit(project: Project, make: () => Promise<Signer>): Promise<AuthorityReport> {
  const governance = await openGovernance(project, "create");
  const { founder } = governance.ledger.state;
  if (founder !== undefined) throw authorityExists(founder);
  await askGate(project, "agent.authority");
  await establishAuthority(governance, await make(), undefined);
  return report(project, governance);
}

/** Replaces the authority's key. What the old one signed stays good, and it counts until the ledger names the new one. */
export async function authorityRotate(
  project: Project,
  current: (key: string | undefined) => Promise<Signer>,
  make: () => Promise<Signer>,
): Promise<AuthorityReport> {
  const governance = await openGovernance(project);
  const signer = await current(currentKey(governance.ledger));
  await establishAuthority(governance, await make(), signer);
  return report(project, governance);
}

/** Accepts the authority that the ledger names, and the ledger as it is: on another machine, or after a restored backup. */
export async function authorityTrust(project: Project, fingerprint: string): Promise<AuthorityReport> {
  const cairn = await project.stores.open(project, "write", null);
  // What was seen here before may be what says that the ledger was cut off, so it is left aside until all is decided.
  const ledger = await openLedger(project, cairn.store, { isUnpinned: true });
  const [first] = ledger.state.authority;
  if (first === undefined || keyFingerprint(first.public_key) !== fingerprint)
    throw new CheckpointError("not-found", `The ledger names no authority "${fingerprint}".`, {
      hint: "Ask the person who made the key for its fingerprint.",
    });
  const governance = new Governance(ledger);
  await governance.act(await admissionFor(project, governance, { action: "agent.trust" }));
  const { head } = readPin(ledger.owner, ledger.storeId, () => ledger.key);
  await ledger.trustAuthority(fingerprint);
  void rememberGovernance(cairn, Promise.resolve(governance));
  if (head !== undefined) await noteAnotherLedger(governance, head);
  return report(project, governance);
}

/** A ledger that is not the one that was seen here stays marked, whoever accepts it. */
async function noteAnotherLedger(governance: Governance, head: LogHead): Promise<void> {
  const [found] = await governance.ledger.store.readLog({ after: head.number - 1, limit: 1 });
  if (found?.hash === head.hash) return;
  const at = governance.ledger.now().toISOString();
  const what = `accepted though entry ${head.number} is not ${head.hash}, which was seen before`;
  await governance.append(() => [{ type: "violation", at, agent: "unknown", rule: "ledger-replaced", what }]);
}

/** Appends what the authority signed elsewhere. */
export async function authoritySubmit(project: Project, signed: Statement): Promise<LedgerEntry> {
  return submitStatement(await openGovernance(project), signed);
}

/** Has the authority say something, or words it for somebody else to sign. */
export async function sayAsAuthority(
  governance: Governance,
  said: JsonObject,
  signing: Signing,
): Promise<DecreeResult> {
  const draft = await draftStatement(governance, said);
  const signer = await signing(draft.key);
  if (signer === undefined) return { entry: null, unsigned: draft };
  return { entry: await submitStatement(governance, await signStatement(draft, signer)), unsigned: null };
}

function report(project: Project, { ledger }: Governance) {
  return {
    store: ledger.storeId,
    /** The fingerprints of its keys, the newest last. */
    keys: ledger.state.authority.map(({ public_key }) => keyFingerprint(public_key)),
    /** How many statements it has signed. */
    statements: ledger.state.serial,
    /** Where this user's knowledge of the ledger is. */
    pin: pinFile(project, ledger.storeId) ?? null,
    machine_key: ledger.key.fingerprint,
  };
}

function authorityExists(founder: string): CheckpointError {
  return new CheckpointError("refused", `This store has an authority already: ${founder}.`, {
    hint: "To change its key, with the present one: checkpoint authority rotate\nOn another machine, if you know it: checkpoint authority trust FINGERPRINT",
  });
}
