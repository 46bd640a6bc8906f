import { setOwn, type JsonObject } from "../../core/objects/json.ts";

/** What one part may take, and what all may take together, in characters: clients refuse answers that are too long. */
const MAX_PART = 8_000;
const MAX_ALL = 40_000;
/** A part that was asked for by its name may be this long. */
const MAX_NAMED = 1_000_000;

export interface Omitted {
  readonly field: string;
  readonly chars: number;
}

/** A state without the parts that would flood a context, and which ones these were. */
export function withoutLargeParts(
  state: object,
  fields: readonly string[] | undefined,
): { parts: JsonObject; omitted: Omitted[] } {
  const parts: JsonObject = {};
  const omitted: Omitted[] = [];
  let room = fields === undefined ? MAX_ALL : MAX_NAMED;
  for (const [field, value] of Object.entries(state as JsonObject)) {
    if (fields !== undefined && !fields.includes(field)) continue;
    const chars = JSON.stringify(value).length;
    if (chars > Math.min(room, fields === undefined ? MAX_PART : MAX_NAMED)) {
      omitted.push({ field, chars });
      continue;
    }
    room -= chars;
    setOwn(parts, field, value);
  }
  return { parts, omitted };
}
