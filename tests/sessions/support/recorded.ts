import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientName } from "../../../src/work/clients/clients.ts";

/** The name of a payload, as a client sent it: `claude/stop`. */
export type RecordedName = `${ClientName}/${string}`;

/** A recorded payload, as if it had been sent from these folders. */
export function recordedPayload(
  name: RecordedName,
  { folder, home }: { readonly folder: string; readonly home: string },
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const text = readFileSync(join(import.meta.dirname, "../fixtures", `${name}.json`), "utf8")
    .replaceAll("/home/ada/shop", folder)
    .replaceAll("/home/ada", home);
  return { ...(JSON.parse(text) as Record<string, unknown>), ...changes };
}
