import { realpathSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../capture/files/read-bounded.ts";
import { isRemembered, remember, type User } from "../remembered.ts";
import { sharedStoreFrom, type SharedStore } from "../shared-store.ts";
import { PROJECT_FILE, readSettings, type StoreSetting } from "./settings.ts";

/** Larger files are refused when settings are read. */
const LARGEST_CONFIG_BYTES = 1024 * 1024;

/** Whether a config mentions a setting. Most do not, and parsing YAML is slow. */
export function mentions(file: string, setting: string): boolean {
  const content = readBounded(file, LARGEST_CONFIG_BYTES).bytes?.toString("utf8") ?? "";
  return new RegExp(`^[^#\\n]*\\b${setting}`, "m").test(content);
}

/**
 * The shared store that a project's cairn.yaml names. All work goes there, and which variable is read and sent to that
 * server is the repository's choice: so it counts once this user has accepted exactly this, in this folder.
 */
export async function configuredStore(
  user: User,
  root: string,
  warn: (warning: string) => void,
): Promise<SharedStore | undefined> {
  if (!mentions(join(root, PROJECT_FILE), "store")) return undefined;
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
