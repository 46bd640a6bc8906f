import { join } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { personalFolder } from "../../capture/files/folders.ts";

/** Where pins are, in the user's folder of states. */
export const PINS_FOLDER = join("cairn", "governance");

/** Where this user's knowledge of a store's ledger is; undefined where there is no folder for it. */
export function pinFile({ env }: { readonly env: Environment }, storeId: string): string | undefined {
  const folder = personalFolder(env, "XDG_STATE_HOME", ".local", "state");
  return folder && join(folder, PINS_FOLDER, `${storeId.replaceAll(/[^\w-]/g, "")}.json`);
}
