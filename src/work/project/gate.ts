import { existsSync } from "node:fs";
import { isCheckpointError } from "../../core/errors.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import type { Environment } from "../machine/environment.ts";
import { statePath } from "../machine/folders.ts";
import type { SessionContext } from "../sessions/context.ts";
import type { Cairn } from "../state/cairn.ts";
import type { WorkState } from "../state/work-state.ts";
import type { AnsweredQuestion, Answerer } from "./answering.ts";
import { findPart, notInBuild } from "./capability.ts";
import { hasStore } from "./find-project.ts";
import { PINS_FOLDER, pinFile } from "./pin-file.ts";
import type { Project } from "./project.ts";
import type { User } from "./remembered.ts";
import { maySet, settingsOf } from "./settings/settings.ts";

/** What the gate is asked, with what was found out about it. Made by the gatekeeper, and passed back to it. */
export interface AskedAction {
  readonly question: { readonly action: string };
}

/** What the gate is told of a step. */
export interface GatedStep {
  readonly id: string;
  readonly action?: string | undefined;
  readonly risk?: "low" | "high" | undefined;
  readonly fingerprint: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Why a step may not start; or the variables of its environment that a vault filled in, for this process alone. */
export type StepPermit =
  | { readonly refused: string }
  | { readonly secrets: Readonly<Record<string, string>> };

/** What a ledger says about its store. */
export interface LedgerFindings {
  /** Checkpoints that no entry covers: something else than Cairn wrote them, or an earlier version that asked no gate. */
  readonly unrecorded: readonly CheckpointInfo[];
  /** Those that an entry brought from elsewhere, by where they came from: their work was done under another ledger, or none. */
  readonly brought: readonly { readonly origin: string; readonly checkpoints: number }[];
  /** Commands that were started and have no end. */
  readonly unfinished: readonly UnfinishedStart[];
}

/** A command whose start is in the ledger, and no end. */
export interface UnfinishedStart {
  readonly start: string;
  /** The number of its entry. */
  readonly number: number;
  readonly at: string;
  readonly agent: string;
  readonly action: string;
}

/** The same in words. */
export function unfinishedWords({ number, at, agent, action, start }: UnfinishedStart): string {
  return `Entry ${number}: ${oneLine(agent)} started ${oneLine(action)} at ${at} (${oneLine(start)}), and no end was recorded: it is still running, or whatever ran it was killed.`;
}

/** What governs a project. One capability provides it; where none does, a governed store is not written. */
export interface Gatekeeper {
  /** The same store for one action of who acts: every commit asks the gate, and is recorded. */
  govern(project: Project, cairn: Cairn, action: string | AskedAction): Promise<Cairn>;
  /** Asks for what commits nothing to the project's own trails, and records it. */
  act(project: Project, cairn: Cairn, action: string | AskedAction): Promise<void>;
  /** What is asked for an answer to a question. */
  askAnswer(answerer: Answerer, cairn: Cairn, question: AnsweredQuestion): Promise<AskedAction>;
  /** Why the gate would refuse, in words; undefined if it would not. Records nothing. */
  whyRefused(project: Project, cairn: Cairn, asked: AskedAction): Promise<string | undefined>;
  /** Asks for a step of a run, fills in its secrets, and records that it starts, unless it has started already. */
  permitStep(
    project: Project,
    step: GatedStep,
    options?: { readonly hasStarted?: boolean },
  ): Promise<StepPermit>;
  /** An environment without the keys of who acts: for what a step is started with. */
  withoutOwnKeys(env: Environment): Environment;
  /** Answers a client that is about to call a tool; undefined where no project is governed. */
  answerToolCall(world: EventWorld, payload: unknown, asker: ToolCaller): Promise<string | undefined>;
  /** Compares a store with its ledger. Throws `corrupt`, with a remedy, for a key or a pin that is torn. */
  verify(project: Project, cairn: Cairn): Promise<LedgerFindings>;
}

/** A project without its place: an event says where it belongs. */
export type EventWorld = Omit<Project, "root" | "folder" | "actor">;

/** Who is about to call a tool, and from where. */
export type ToolCaller = Pick<SessionContext, "env" | "cwd" | "client">;

/** The gate that the commits of an open store go through. */
export interface Gate {
  /** The agent that acts; undefined for a person. */
  readonly agent: string | undefined;
  /** The tier that the ledger gives to who acts. */
  readonly tier: () => number;
  /** For what hooks save: whether the next commit begins a turn. The ledger has one entry a turn. */
  readonly setTurn: (begins: boolean) => void;
  /** Puts what the ledger knows into a checkpoint of the work: the agent's open tasks, and the ledger itself. */
  readonly observe: (trail: string, state: WorkState) => void;
  /** Records what becomes of tasks, in the commit that changes them. */
  readonly watchTasks: (trail: string, before: WorkState, after: () => WorkState) => void;
}

/** The gates of open stores. A store that is not governed has none, and loads no code for one. */
export const gates = new WeakMap<Cairn, Gate>();

/** Open stores whose ledger was read, with what is to be done before they close: this machine notes how far the ledger went. */
export const governed = new WeakMap<Cairn, () => Promise<unknown>>();

/** To be called before a store is closed. If it fails, the note only lags: what was recorded is durable. */
export async function beforeClose(cairn: Cairn): Promise<void> {
  await governed
    .get(cairn)?.()
    .catch(() => {});
}

/** Whether commits ask the gate. Once the ledger was written, no file of the project or the user switches it off. */
export async function isGoverned(project: Project, cairn: Cairn): Promise<boolean> {
  if (governed.has(cairn)) return true;
  if (maySet("governance", project, project.root) && (await settingsOf(project)).governance === true)
    return true;
  return (await hasPin(project, cairn)) || (await hasLedger(cairn));
}

/** Whether this user's machine has seen the ledger of this store. */
async function hasPin(user: User, { store }: Cairn): Promise<boolean> {
  if (!existsSync(statePath(user.env, PINS_FOLDER) ?? "")) return false;
  return existsSync(pinFile(user, (await store.identity()).id) ?? "");
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

/** The gatekeeper of a governed project. */
export async function gatekeeperOf(project: Pick<Project, "capabilities">): Promise<Gatekeeper> {
  const keeper = await findPart(project, "gate");
  if (keeper === undefined) throw notInBuild("This project is governed", "governance");
  return keeper;
}

/** The store as one action opens it: where the project is governed, every commit asks the gate and is recorded. */
export async function behindGate(
  project: Project,
  cairn: Cairn,
  action: string | AskedAction,
): Promise<Cairn> {
  if (!(await isGoverned(project, cairn))) return cairn;
  return (await gatekeeperOf(project)).govern(project, cairn, action);
}

/** Asks the gate for what commits nothing to the project's own trails, and records it. Does nothing where nobody governs. */
export async function askGate(project: Project, action: string): Promise<void> {
  if (!hasStore(project)) return;
  if (!(await isGoverned(project, await project.stores.open(project, "read", null)))) return;
  const cairn = await project.stores.open(project, "write", null);
  await (await gatekeeperOf(project)).act(project, cairn, action);
}
