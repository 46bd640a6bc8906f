import { existsSync } from "node:fs";
import { join } from "node:path";
import { personalFolder, statePath } from "../machine/folders.ts";
import type { Cairn } from "../state/cairn.ts";
import type { WorkState } from "../state/work-state.ts";
import { isCheckpointError } from "../../core/errors.ts";
import type { Governance } from "../../capabilities/governance/gate/governance.ts";
import { pinFile, PINS_FOLDER } from "../../capabilities/governance/ledger/pin-file.ts";
import type { Opening, Project } from "./project.ts";
import type { User } from "./remembered.ts";
import { mentions, settingsOf } from "./settings/settings.ts";

/**
 * What is on beside the store. The code behind each is loaded only where this says so: most projects have none of it, and
 * hooks come every few seconds.
 */

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

/** The gates of open stores, and what each asks: the ledger and its rules. A store that is not governed has neither, and loads no code for them. */
export const gates = new WeakMap<Cairn, Gate>();
export const governances = new WeakMap<Cairn, Promise<Governance>>();

/** Whether commits ask the gate. Once the ledger was written, no file of the project or the user switches it off. */
export async function isGoverned(project: Project, cairn: Cairn): Promise<boolean> {
  if (governances.has(cairn)) return true;
  if (mentions("governance", project, project.root) && (await settingsOf(project)).governance === true)
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

/** Whether this user has mirrors, or wants them: then this store may be to have one. */
export async function keepsMirrors(project: Project, opening: Opening): Promise<boolean> {
  if (existsSync(mirrorsFolder(project) ?? "")) return true;
  return opening !== "read" && wantsMirrors(project);
}

/** Whether the user's config asks for a mirror of each project. */
export async function wantsMirrors(project: Project): Promise<boolean> {
  return mentions("mirror", project, project.root) && (await settingsOf(project)).mirror === true;
}

/** `cairn/mirrors` in $XDG_DATA_HOME, or in ~/.local/share. */
export function mirrorsFolder({ env }: User): string | undefined {
  const data = personalFolder(env, "XDG_DATA_HOME", ".local", "share");
  return data && join(data, "cairn", "mirrors");
}
