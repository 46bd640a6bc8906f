import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../machine/environment.ts";

/** Whether a command of this name is on $PATH. */
export function isOnPath({ env }: { readonly env: Environment }, name: string): boolean {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => ["", ".cmd", ".exe"].some((end) => existsSync(join(folder, name + end))));
}
