import { listAgents, type AgentReport } from "../gate/agents.ts";
import { evidenceIn, type EvidenceListed } from "../exec/evidence.ts";
import { keyFingerprint } from "../keys/signature.ts";
import { readEntries } from "../ledger/read-entries.ts";
import { needsAuthority } from "../state/apply-entry.ts";
import type { EntryOf, LedgerEntry } from "../state/entry.ts";
import { isEntry } from "../state/entry-shape.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import type { LogEntry, Store } from "../../../core/store/contract.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { isGoverned } from "../../../work/project/gate.ts";
import { openGovernance } from "../project-gate/open-governance.ts";
import type { Project } from "../../../work/project/project.ts";
import { ledgerVerify, type LedgerVerified } from "./ledger.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import type { RECORDS } from "../record-verbs.ts";

export type GovernanceReportInput = InputOf<(typeof RECORDS)["governanceReport"]>;

type Numbered<Entry> = Omit<Entry, "type"> & { readonly number: number };

/** Who may do what here, and what came of it. Lists have the newest last. */
export interface GovernanceReport {
  readonly is_governed: boolean;
  /** How many entries the ledger has. */
  readonly entries: number;
  readonly agents: readonly (AgentReport & {
    /** When the ledger last named it; null if it only was named in passing. */
    readonly last_seen: string | null;
  })[];
  readonly violations: readonly Numbered<EntryOf<"violation">>[];
  readonly evidence: readonly EvidenceListed[];
  /** What agents ask for, and whether only the authority can approve it. */
  readonly requests: readonly (Omit<EntryOf<"request">, "type"> & { readonly needs_authority: boolean })[];
  /** What was approved, and can still be used. */
  readonly approvals: readonly Omit<EntryOf<"approval">, "type" | "authority" | "on" | "serial">[];
  /** The fingerprints of the authority's keys, the newest last. */
  readonly authority: readonly string[];
  /** What checking the ledger showed; null if that was not asked for. */
  readonly verified: LedgerVerified | null;
  /** Why the gate refuses to go on with this ledger; agents, requests and approvals are empty then. */
  readonly problem: string | null;
}

/** Everything that a person who answers for agents looks at first, in one call. */
export async function governanceReport(
  project: Project,
  { limit = 50, verify = false }: GovernanceReportInput = {},
): Promise<GovernanceReport> {
  if (!hasStore(project)) return NOT_GOVERNED;
  const cairn = await project.stores.open(project, "read", null);
  if (!(await isGoverned(project, cairn))) return NOT_GOVERNED;
  const { lastSeen, ...recent } = await readRecent(cairn.store, limit);
  const verified = verify ? await ledgerVerify(project, []) : null;
  return { is_governed: true, ...recent, ...(await standingIn(project, lastSeen)), verified };
}

const NOT_GOVERNED: GovernanceReport = {
  is_governed: false,
  entries: 0,
  agents: [],
  violations: [],
  evidence: [],
  requests: [],
  approvals: [],
  authority: [],
  verified: null,
  problem: null,
};

interface Recent extends Pick<GovernanceReport, "entries" | "violations" | "evidence"> {
  readonly lastSeen: ReadonlyMap<string, string>;
}

/** What only the entries themselves say. Of a damaged ledger, what comes before the damage. */
async function readRecent(store: Store, limit: number): Promise<Recent> {
  const violations: Numbered<EntryOf<"violation">>[] = [];
  const evidence: EvidenceListed[] = [];
  const lastSeen = new Map<string, string>();
  let entries = 0;
  try {
    for await (const page of readEntries(store))
      for (const logged of page) {
        entries++;
        if (!isEntry(logged.entry)) continue;
        const { type, at, agent } = logged.entry as unknown as LedgerEntry;
        lastSeen.set(agent, at);
        if (type === "violation") violations.push(violationIn(logged));
        if (type === "evidence") evidence.push(evidenceIn(logged));
      }
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
  }
  const newest = <Item>(all: readonly Item[]) => all.slice(Math.max(0, all.length - limit));
  return { entries, violations: newest(violations), evidence: newest(evidence), lastSeen };
}

function violationIn({ number, entry }: LogEntry): Numbered<EntryOf<"violation">> {
  const { type: _type, ...violation } = entry as unknown as EntryOf<"violation">;
  return { number, ...violation };
}

/** What follows from the ledger as the gate reads it. */
async function standingIn(project: Project, lastSeen: Recent["lastSeen"]) {
  try {
    const governance = await openGovernance(project, "read");
    const { state } = governance.ledger;
    return {
      agents: listAgents(governance).map((agent) => ({
        ...agent,
        last_seen: lastSeen.get(agent.agent) ?? null,
      })),
      requests: Object.values(state.requests).map(({ type: _type, ...request }) => ({
        ...request,
        needs_authority: needsAuthority(state, request),
      })),
      approvals: Object.values(state.approvals).map(
        ({ type: _type, authority: _authority, on: _on, serial: _serial, ...approval }) => approval,
      ),
      authority: state.authority.map(({ public_key }) => keyFingerprint(public_key)),
      problem: null,
    };
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    return { agents: [], requests: [], approvals: [], authority: [], problem: error.message };
  }
}
