import { realpathSync } from "node:fs";
import { isImportedTrail } from "../checkpoints/import-record.ts";
import type { Store } from "../store/contract.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { runTrail } from "../workflow/run/run-state.ts";
import { digestOf, isRemembered, remember, type User } from "./remembered.ts";

/**
 * What this user trusts is recorded in the user's own state folder, where no repository can write: stores, by their
 * random id and folder, so that a copy elsewhere is not trusted; and, for runs that came from elsewhere, exactly the
 * commands that the user agreed to.
 */
type KnownStore = Pick<WorkflowContext, "cairn" | "folder">;

/** Records that this user created the store. If that fails, the user is asked before a run is resumed. */
export async function registerStore(user: User, folder: string, store: Store): Promise<void> {
  const { id } = await store.identity();
  try {
    remember(user, [id, realpathSync(folder)]);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
  }
}

/**
 * Whether a run is this user's own: started by the user, or made in a store that was made here, rather than imported
 * into it. The store and the user's state folder decide that; files in the project do not, because they may have come
 * with the repository.
 */
export async function isOwn(user: User, known: KnownStore, run: string): Promise<boolean> {
  const store = await identityOf(known);
  if (await isImportedTrail(known.cairn.store, runTrail(run))) return false;
  if (isRemembered(user, [...store, run])) return true;
  if (isRemembered(user, [...store, run, FOREIGN])) return false;
  return isRemembered(user, store);
}

/** Records that a run was imported, because the checkpoints that say so may be pruned. */
export async function rememberImport(user: User, known: KnownStore, run: string): Promise<void> {
  remember(user, [...(await identityOf(known)), run, FOREIGN]);
}

const FOREIGN = "from elsewhere";

/** Whether the user agreed to exactly these commands of a run that came from elsewhere. */
export async function isAgreedTo(
  user: User,
  known: KnownStore,
  run: string,
  commands: string,
): Promise<boolean> {
  return isRemembered(user, [...(await identityOf(known)), run, digestOf(commands)]);
}

/** Records that the user agreed to these commands of a run that came from elsewhere. */
export async function agreeTo(user: User, known: KnownStore, run: string, commands: string): Promise<void> {
  await rememberImport(user, known, run);
  remember(user, [...(await identityOf(known)), run, digestOf(commands)]);
}

/** A run that the user starts is trusted, even in a store that is not. */
export async function trustNewRun(user: User, known: KnownStore, run: string): Promise<void> {
  if (!isRemembered(user, await identityOf(known))) await trustRun(user, known, run);
}

/** Records that a run is the user's own. */
export async function trustRun(user: User, known: KnownStore, run: string): Promise<void> {
  remember(user, [...(await identityOf(known)), run]);
}

async function identityOf({ cairn, folder }: KnownStore): Promise<string[]> {
  return [(await cairn.store.identity()).id, realpathSync(folder)];
}
