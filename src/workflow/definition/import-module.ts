import { pathToFileURL } from "node:url";

/** What a user's module exports. In a file of its own, because the bundled command cannot import modules itself. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}
