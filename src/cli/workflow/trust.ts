import { createHash } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Store } from "../../store/contract.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import type { Context } from "../context.ts";

/**
 * What belongs to this user is remembered in the user's own state folder, where no repository can write: a store
 * by its random id and the folder that it was made in, so that a copy of it elsewhere is a stranger; and a run
 * that came from elsewhere, once the user has said yes to its commands.
 */
type Known = Pick<WorkflowContext, "cairn" | "folder">;

/** Remembers that this user made the store. Where that cannot be written, the user is asked before a resume instead. */
export async function registerStore(context: Context, folder: string, store: Store): Promise<void> {
  const { id } = await store.identity();
  try {
    remember(context, [id, realpathSync(folder)]);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
  }
}

/**
 * Whether the commands in a run are this user's own: the run was started here, in a store that was made here; or the
 * user has said so. An imported run has no folder, because only starting one makes it.
 */
export async function isTrusted(context: Context, known: Known, run: string): Promise<boolean> {
  const store = await identityOf(known);
  if (isRemembered(context, [...store, run])) return true;
  return isRemembered(context, store) && existsSync(join(known.folder, "runs", run));
}

/** A run that the user starts is the user's own, even in a store that is not. */
export async function trustNewRun(context: Context, known: Known, run: string): Promise<void> {
  if (!isRemembered(context, await identityOf(known))) await trustRun(context, known, run);
}

/** Remembers that the user wants the commands of this run to run. */
export async function trustRun(context: Context, known: Known, run: string): Promise<void> {
  remember(context, [...(await identityOf(known)), run]);
}

async function identityOf({ cairn, folder }: Known): Promise<string[]> {
  return [(await cairn.store.identity()).id, realpathSync(folder)];
}

function remember(context: Context, facts: readonly string[]): void {
  const folder = stateFolder(context);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Says for people what it stands for; only its name is ever looked at.
  writeFileSync(join(folder, nameOf(facts)), `${facts.join("\n")}\n`, { mode: 0o600 });
}

function isRemembered(context: Context, facts: readonly string[]): boolean {
  const folder = stateFolder(context);
  return folder !== undefined && existsSync(join(folder, nameOf(facts)));
}

const nameOf = (facts: readonly string[]) =>
  createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);

/** `cairn/trusted` in $XDG_STATE_HOME, or in ~/.local/state. */
function stateFolder({ env }: Context): string | undefined {
  const home = env["HOME"] ?? env["USERPROFILE"];
  const folder = env["XDG_STATE_HOME"] || (home && join(home, ".local", "state"));
  // A relative folder would be another one in every place, and a repository could bring it along.
  return folder && isAbsolute(folder) ? join(folder, "cairn", "trusted") : undefined;
}
