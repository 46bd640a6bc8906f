import { isCheckpointError } from "../../../core/errors.ts";
import { commentsIn, misfit, readJson, valueOf } from "./json-document.ts";
import { malformed, type PlannedChange, readIfThere } from "./planned-change.ts";

/** Plans edits of a JSON file. One that is not JSON, or not of the expected shape, is refused with its line. */
export function planJson(path: string, what: string, edit: (text: string) => string): PlannedChange {
  const before = readIfThere(path);
  const text = before === undefined || before.trim() === "" ? "{}\n" : before;
  try {
    if (readJson(text).type !== "object") throw misfit("The settings should be an object: { … }.", 0);
    const after = edit(text);
    // What would be written must be JSON as well.
    readJson(after);
    return { path, what, before, after: after === text ? before : after };
  } catch (error) {
    const position = isCheckpointError(error, "refused") ? error.details["position"] : undefined;
    if (typeof position !== "number") throw error;
    throw malformed(path, text, position, (error as Error).message);
  }
}

/** What the file says after a change. */
export function valueAfter({ after = "" }: PlannedChange): unknown {
  return after.trim() === "" ? {} : valueOf(readJson(after));
}

/** What a file of JSON says, its comments included, whatever the order and the spaces: empty containers say nothing. */
export function meaningOfJson(text: string): string {
  const value = sorted(text.trim() === "" ? {} : valueOf(readJson(text)));
  return JSON.stringify([value, commentsIn(text).toSorted()]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, child]) => [key, sorted(child)] as const)
    .filter(([, child]) => child !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
