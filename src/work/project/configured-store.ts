import { realpathSync } from "node:fs";
import { join } from "node:path";
import { isRemembered, remember, type User } from "./remembered.ts";
import { PROJECT_FILE, readSettings, type StoreSetting } from "./settings/settings.ts";
import { sharedStoreFrom, type SharedStore } from "./shared-store.ts";

/**
 * The shared store that a project's cairn.yaml names. All work goes there, and which variable is read and sent to that
 * server is the repository's choice: so it counts once this user has accepted exactly this, in this folder.
 */
export async function configuredStore(
  user: User,
  root: string,
  warn: (warning: string) => void,
): Promise<SharedStore | undefined> {
  const { store } = await readSettings(user, root);
  if (store === undefined) return undefined;
  if (isRemembered(user, factsOf(root, store))) return sharedStoreFrom(user.env, store);
  warn(
    `"${join(root, PROJECT_FILE)}": the store in $${store.url_env} is NOT used until you accept it; what is saved stays in .cairn. To accept it: checkpoint config --accept-store`,
  );
  return undefined;
}

/** Records that this user wants the store that the project names. */
export function acceptStore(user: User, root: string, store: StoreSetting): void {
  remember(user, factsOf(root, store));
}

function factsOf(root: string, { url_env, schema }: StoreSetting): string[] {
  return ["shared store", realpathSync(root), url_env, schema];
}
