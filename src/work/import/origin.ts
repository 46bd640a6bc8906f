import type { Json } from "../../core/objects/json.ts";
import { claimed } from "../state/imported-marks.ts";

/** Where imported items come from: written on each, so that a handoff can say so. */
export interface ImportOrigin {
  /** The name of the file, as people would say it. */
  readonly source: string;
  /** When it was imported: for items that have no time of their own. */
  readonly at: string;
  /** `import:<source>`. */
  readonly by: string;
}

export function originOf(source: string, now: Date): ImportOrigin {
  return { source, at: now.toISOString(), by: `import:${source}` };
}

/** Marks an item as imported, with the time of the import where it has none of its own. */
export function stamp<Item extends object>(
  item: Item,
  origin: ImportOrigin,
): Item & { at: string; by: string } {
  const { at, by } = item as { at?: Json; by?: Json };
  return { ...item, at: typeof at === "string" ? at : origin.at, by: claimed(by, origin.by) };
}
