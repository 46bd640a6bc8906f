import { existsSync, realpathSync } from "node:fs";
import { isImportedTrail } from "../../core/trails/import-record.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { Store } from "../../core/store/contract.ts";
import type { Environment } from "../machine/environment.ts";
import type { Cairn } from "../state/cairn.ts";
import { runTrail } from "../state/run-trail.ts";
import { digestOf, forget, isRemembered, remember, type User } from "./remembered.ts";

/**
 * What this user trusts is recorded in the user's own state folder, where no repository can write: stores, by their
 * random id and folder, so that a copy elsewhere is not trusted; and, for runs that came from elsewhere, exactly the
 * commands that the user agreed to.
 */
interface TrustedStore {
  readonly cairn: Cairn;
  readonly folder: string;
  readonly env: Environment;
}

/** Records that this user created the store. If that fails, the user is asked before a run is resumed. */
export async function registerStore(user: User, folder: string, store: Store): Promise<void> {
  const { id } = await store.identity();
  try {
    remember(user, [id, realpathSync(folder)]);
  } catch (error) {
    ignoreFileError(error);
  }
}

function ignoreFileError(error: unknown): void {
  if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
}

/**
 * Whether a run is this user's own: started by the user, or made in a store that was made here, rather than imported
 * into it. The store and the user's state folder decide that; files in the project do not, because they may have come
 * with the repository.
 */
export async function isOwnRun(store: TrustedStore, run: string): Promise<boolean> {
  if (await isImportedTrail(store.cairn.store, runTrail(run))) return false;
  if (await isNoted(store, run, FOREIGN)) return false;
  return (await isNoted(store, run)) || isNoted(store);
}

/** Records that a run was imported, because the checkpoints that say so may be pruned. */
export async function rememberImport(store: TrustedStore, run: string): Promise<void> {
  await note(store, run, FOREIGN);
}

const FOREIGN = "from elsewhere";

/** Whether the user agreed to exactly these commands of a run that came from elsewhere. */
export async function isAgreedTo(store: TrustedStore, run: string, commands: string): Promise<boolean> {
  return isNoted(store, run, digestOf(commands));
}

/** Records that the user agreed to these commands of a run that came from elsewhere. */
export async function agreeTo(store: TrustedStore, run: string, commands: string): Promise<void> {
  await rememberImport(store, run);
  await note(store, run, digestOf(commands));
}

/** A run that the user starts is trusted, even in a store that is not. */
export async function trustNewRun(store: TrustedStore, run: string): Promise<void> {
  if (!(await isNoted(store))) await trustRun(store, run);
}

/** Records that a run is the user's own. */
export async function trustRun(store: TrustedStore, run: string): Promise<void> {
  await note(store, run);
}

/**
 * Whether the user added a schedule here, or agreed to it. `words` is all that it says: one that came with a repository, an
 * import or a remote is not trusted, whatever its name, and neither is one that was changed there.
 */
export async function isTrustedSchedule(store: TrustedStore, words: string): Promise<boolean> {
  return isNoted(store, SCHEDULE, digestOf(words));
}

/** Records that the user wants a schedule. If that fails, the user is asked before it starts anything. */
export async function trustSchedule(store: TrustedStore, words: string): Promise<void> {
  await note(store, SCHEDULE, digestOf(words)).catch(ignoreFileError);
}

const SCHEDULE = "a schedule";

/** Records that a run was pulled from a remote: another machine may be running it, whoever took it over before. */
export async function rememberPull(store: TrustedStore, run: string): Promise<void> {
  await rememberImport(store, run);
  await note(store, run, PULLED);
  forget(store, await factsOf(store, run, TAKEN_OVER));
}

/** A pulled run is only to be looked at, until the user takes it over: two machines that run it would do things twice. */
export async function refusePulled(
  store: TrustedStore,
  run: string,
  { takeOver = false } = {},
): Promise<void> {
  if (!(await isNoted(store, run, PULLED)) || (await isNoted(store, run, TAKEN_OVER))) return;
  if (takeOver) return note(store, run, TAKEN_OVER);
  throw new CheckpointError("refused", `Run "${run}" was pulled: another machine may still be running it.`, {
    hint: `To look at it: checkpoint runs show ${run}\nIf it ended there, to continue it here: checkpoint resume ${run} --take-over`,
    details: { run },
  });
}

const PULLED = "pulled";
const TAKEN_OVER = "taken over";

const note = async (store: TrustedStore, ...facts: readonly string[]) =>
  remember(store, await factsOf(store, ...facts));

const isNoted = async (store: TrustedStore, ...facts: readonly string[]) =>
  isRemembered(store, await factsOf(store, ...facts));

/** Of this store, in this folder. With a shared store there may be no folder. */
async function factsOf({ cairn, folder }: TrustedStore, ...facts: readonly string[]): Promise<string[]> {
  return [(await cairn.store.identity()).id, existsSync(folder) ? realpathSync(folder) : folder, ...facts];
}
