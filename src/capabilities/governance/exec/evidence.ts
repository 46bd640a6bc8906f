import { Cairn } from "../../../work/state/cairn.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { decode } from "../../../core/objects/decode.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import { readCheckpoint } from "../../../core/trails/document.ts";
import type { Workspace } from "../../../work/state/work-state.ts";
import type { LogEntry, Store } from "../../../core/store/contract.ts";
import { EVIDENCE_TRAIL, type Governance } from "../gate/governance.ts";
import { digestOf } from "../keys/signature.ts";
import { recordedCommit } from "../ledger/append-log.ts";
import { queryLedger } from "../ledger/query-ledger.ts";
import type { EntryOf } from "../state/entry.ts";
import type { CommandOutcome } from "./run-command.ts";

/** What shows that a command ran, and what came of it. Secrets are taken out before. */
export type EvidencePackage = {
  readonly schema: "cairn/evidence@1";
  readonly agent: string;
  readonly tier: number;
  readonly attested: boolean;
  readonly action: string;
  readonly approval: string | null;
  /** The digest of what was to be run: for infrastructure, of the plan. */
  readonly digest: string;
  /** The digest that applying the plan which this command wrote will have. */
  readonly plan_digest: string | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Names only. */
  readonly environment: readonly string[];
  readonly git: Workspace | null;
  readonly started_at: string;
  readonly ended_at: string;
  readonly exit_code: number;
  readonly signal: string | null;
  readonly problem: string | null;
  readonly output: CommandOutcome["output"];
  readonly files_changed: readonly string[];
  /** How many more changed than are named. */
  readonly more_files: number;
};

/** Stores a package and its entry, which ends its start, in one commit. Returns its id. */
export async function saveEvidence(
  { ledger }: Governance,
  evidence: EvidencePackage,
  start: string,
): Promise<string> {
  const { ended_at: at, agent, action, exit_code } = evidence;
  const digest = digestOf(JSON.stringify(evidence));
  const id = `evd-${at.replaceAll(/\D/g, "").replace(/^(\d{8})(\d{6}).*/, "$1-$2")}-${digest.slice(0, 8)}`;
  const said = { at, agent, evidence: id, action, digest, success: exit_code === 0, start };
  const entry: EntryOf<"evidence"> = { type: "evidence", ...said };
  const store = { ...ledger.store, commit: recordedCommit(ledger, () => [entry], PINNED) };
  const trail = new Cairn(store, ledger.now).trail<JsonObject>(EVIDENCE_TRAIL, { initial: {} });
  await trail.commit(() => evidence as unknown as JsonObject, { trigger: "exec", foreignId: id });
  return id;
}

/** Evidence is never pruned: a record that begins with `pin/` keeps its checkpoint. */
const PINNED = new Map([["pin/evidence", Buffer.from("1")]]);

export type EvidenceListed = Omit<EntryOf<"evidence">, "type" | "evidence"> & { readonly id: string };

/** What the ledger lists, the newest last. */
export async function listEvidence(store: Store, limit = Infinity): Promise<EvidenceListed[]> {
  const found = (await queryLedger(store, { type: "evidence" })).filter(({ problem }) => !problem);
  return found.slice(Math.max(0, found.length - limit)).map(evidenceIn);
}

export function evidenceIn({ entry }: Pick<LogEntry, "entry">): EvidenceListed {
  const { evidence: id, at, agent, action, success, digest } = entry as unknown as EntryOf<"evidence">;
  return { id, at, agent, action, success, digest };
}

export async function readEvidence(store: Store, id: string): Promise<EvidencePackage> {
  const [found] = await store.find({ trail: EVIDENCE_TRAIL, foreignId: id });
  if (found === undefined) throw notFound(`There is no evidence "${id}".`);
  const { root } = readCheckpoint(found.id, found.bytes);
  return (await decode(root, (ids) => store.readObjects(ids))) as unknown as EvidencePackage;
}

/** With what is wrong; nothing if it is what the ledger says. */
export type EvidenceChecked = EvidenceListed & { readonly problem?: string };

/** Compares packages with what the ledger says of them. */
export async function verifyEvidence(store: Store, id?: string): Promise<EvidenceChecked[]> {
  const listed = (await listEvidence(store)).filter((one) => id === undefined || one.id === id);
  if (id !== undefined && listed.length === 0) throw notFound(`The ledger lists no evidence "${id}".`);
  return Promise.all(
    listed.map(async (one) => {
      const problem = await problemOf(store, one);
      return problem === undefined ? one : { ...one, problem };
    }),
  );
}

const notFound = (message: string) =>
  new CheckpointError("not-found", message, { hint: "checkpoint evidence list" });

async function problemOf(store: Store, { id, digest }: EvidenceListed): Promise<string | undefined> {
  try {
    const isSame = digestOf(JSON.stringify(await readEvidence(store, id))) === digest;
    return isSame ? undefined : "it is not what the ledger recorded";
  } catch (error) {
    if (isCheckpointError(error)) return error.message;
    throw error;
  }
}
