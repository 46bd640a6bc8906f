import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../../../work/machine/environment.ts";
import { homeFolder } from "../../../work/machine/folders.ts";
import { CheckpointError } from "../../../core/errors.ts";

/** Our plugin, as its clients name it: `plugin@marketplace`. */
export const PLUGIN = "cairn@cairn";

/** What is needed to plan a setup: where the person's settings are, and what we have to put there. */
export interface SetupWorld {
  readonly env: Environment;
  /** The person's home folder; undefined where there is none, as in some containers. */
  readonly home: string | undefined;
  /** The project's root. */
  readonly root: string;
  /** Where this package is installed. */
  readonly packageRoot: string;
}

export function setupWorld(env: Environment, root: string): SetupWorld {
  return { env, home: homeFolder(env), root, packageRoot: findPackage() };
}

/** A file that comes with the package. */
export function readPackaged({ packageRoot }: SetupWorld, name: string): string {
  return readFileSync(join(packageRoot, name), "utf8");
}

/** npx keeps what it runs in a cache that it may empty: nothing may point there permanently. */
export function isTemporary({ packageRoot }: Pick<SetupWorld, "packageRoot">): boolean {
  return /[\\/]_npx[\\/]/.test(packageRoot);
}

/** Whether a folder offers a plugin, as that of this package does. */
export function hasMarketplace(folder: string): boolean {
  return existsSync(join(folder, ".claude-plugin", "marketplace.json"));
}

/** The folder of this package is the first above that holds the plugin: the built program is deeper than the source. */
function findPackage(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (hasMarketplace(folder)) return folder;
    if (dirname(folder) === folder)
      throw new CheckpointError("missing-dependency", "The plugin is missing from this installation.", {
        hint: "npm install --global cairn-checkpoint",
      });
  }
}
