import { existsSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../capture/files/read-bounded.ts";
import { Cairn } from "../../checkpoints/cairn.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { hasPin } from "../../governance/ledger/has-pin.ts";
import type { Admission, Governance } from "../../governance/gate/governance.ts";
import { isCheckpointError } from "../../errors.ts";
import type { Project } from "../project.ts";
import { PROJECT_FILE, settingsOf, userConfigFile } from "../settings/settings.ts";

/** The gate that the commits of an open store go through. */
export interface Gate {
  /** The tier that the ledger gives to who acts. */
  readonly tier: () => number;
  /** Puts what the ledger knows into a checkpoint of the work: the agent's open tasks, and the ledger itself. */
  readonly observe: (trail: string, state: WorkState) => void;
  /** Records what becomes of tasks, in the commit that changes them. */
  readonly watchTasks: (trail: string, before: WorkState, after: () => WorkState) => void;
}

const gates = new WeakMap<Cairn, Gate>();
const ledgers = new WeakMap<Cairn, Promise<Governance>>();

/** The same store, where every commit asks the gate, if the project is governed. Nothing is loaded if it is not. */
export async function governedCairn(
  project: Project,
  cairn: Cairn,
  action: string | Admission,
): Promise<Cairn> {
  if (!(await isGoverned(project, cairn))) return cairn;
  const { governCairn } = await import("./govern-cairn.ts");
  const governed = await governCairn(project, await governanceOf(project, cairn), action);
  const own = new Cairn(governed.store, project.now);
  gates.set(own, governed);
  return own;
}

export function gateOf(cairn: Cairn): Gate | undefined {
  return gates.get(cairn);
}

/** Once the ledger was written, no file of the project or the user switches it off. */
export async function isGoverned(project: Project, cairn: Cairn): Promise<boolean> {
  if (ledgers.has(cairn)) return true;
  if (hasPin(project, (await cairn.store.identity()).id)) return true;
  if (mentionsGovernance(project) && (await settingsOf(project)).governance === true) return true;
  return hasLedger(cairn);
}

const known = new WeakMap<Cairn, Promise<boolean>>();

/** Neither a missing pin nor another state folder switches off a ledger that was begun. */
function hasLedger(cairn: Cairn): Promise<boolean> {
  const answer =
    known.get(cairn) ?? cairn.store.readLog({ limit: 1 }).then(({ length }) => length > 0, isDamaged);
  known.set(cairn, answer);
  return answer;
}

function isDamaged(error: unknown): boolean {
  if (isCheckpointError(error, "corrupt")) return true;
  throw error;
}

const MENTIONS = /^\s*governance\s*:/m;
const LARGEST_CONFIG_BYTES = 1024 * 1024;

/** Parses a config only if it mentions governance: hooks come every few seconds, and parsing YAML is slow. */
function mentionsGovernance(project: Project): boolean {
  const files = [join(project.root, PROJECT_FILE), userConfigFile(project)];
  return files.some(
    (file) =>
      file !== undefined &&
      existsSync(file) &&
      MENTIONS.test(readBounded(file, LARGEST_CONFIG_BYTES).bytes?.toString("utf8") ?? ""),
  );
}

/** The ledger of an open store, read once. */
export function governanceOf(project: Project, cairn: Cairn): Promise<Governance> {
  const opened = ledgers.get(cairn) ?? openGovernance(project, cairn);
  ledgers.set(cairn, opened);
  return opened;
}

async function openGovernance({ env, machine, now }: Project, { store }: Cairn): Promise<Governance> {
  const { Ledger } = await import("../../governance/ledger/ledger.ts");
  const { Governance: Gatekeeper } = await import("../../governance/gate/governance.ts");
  const owner = { env, userId: machine.userId };
  return new Gatekeeper(await Ledger.open(store, { owner, now }));
}

/** Records how far the ledger went, then closes the store. */
export async function closeGoverned(cairn: Cairn): Promise<void> {
  const governance = await ledgers.get(cairn);
  // It only lags then: what was recorded is durable.
  await governance?.ledger.pinHead().catch(() => {});
  await cairn.close();
}
