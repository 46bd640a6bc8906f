import { pathToFileURL } from "node:url";

/** What a module of the user's exports. A file of its own, because the bundled command can import no such modules itself. */
export async function importFile(path: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}
