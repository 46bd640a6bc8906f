import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** What a user's module exports. In a file of its own, because the bundled command cannot import modules itself. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  lendThisPackage();
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}

const OWN_NAME = /^cairn-checkpoint(?:\/|$)/;
let isLent = false;

/**
 * A project without this package gets the one that runs: with a global install there is no other. One that the project has
 * itself goes first.
 */
function lendThisPackage(): void {
  if (isLent) return;
  isLent = true;
  registerHooks({
    resolve(name, context, resolve) {
      if (!OWN_NAME.test(name)) return resolve(name, context);
      try {
        return resolve(name, context);
      } catch (error) {
        if (!isMissing(error)) throw error;
        // A package may import itself by its name. `require` would look from the user's file again.
        return { url: import.meta.resolve(name), format: "module", shortCircuit: true };
      }
    },
  });
}

/** The error of `import`, or that of `require`. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND");
