import type { Environment } from "../machine/environment.ts";
import { statePath } from "../machine/folders.ts";

/** Where pins are, in the user's own state. */
export const PINS_FOLDER = "governance";

/** Where this user's knowledge of a store's ledger is; undefined where there is no folder for it. */
export function pinFile({ env }: { readonly env: Environment }, storeId: string): string | undefined {
  return statePath(env, PINS_FOLDER, `${storeId.replaceAll(/[^\w-]/g, "")}.json`);
}
