import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { personalFolder } from "../../capture/files/folders.ts";

/** Where this user's knowledge of a store's ledger is; undefined where there is no folder for it. */
export function pinFile({ env }: { readonly env: Environment }, storeId: string): string | undefined {
  const folder = personalFolder(env, "XDG_STATE_HOME", ".local", "state");
  return folder && join(folder, "cairn", "governance", `${storeId.replaceAll(/[^\w-]/g, "")}.json`);
}

/** Whether this user's machine has seen the ledger of this store. Loads nothing, because every command asks. */
export function hasPin(owner: { readonly env: Environment }, storeId: string): boolean {
  const file = pinFile(owner, storeId);
  return file !== undefined && existsSync(file);
}
