import { CheckpointError } from "../errors.ts";
import { formatPath, type Json, type JsonObject, type Path, setOwn } from "../objects/json.ts";
import { MAX_DEPTH } from "../objects/limits.ts";
import { refusal, whyRefused } from "../objects/refusal.ts";

/** How much a single collector may bring. */
const MAX_VALUES = 100_000;

/**
 * Copies what a collector returned into plain JSON, or throws with the path of what JSON cannot say: so
 * one collector's mistake is found where it was made, and does not fail the checkpoint later.
 */
export function plainCopy(value: unknown): Json {
  let left = MAX_VALUES;
  return copy(value, []);

  function copy(original: unknown, path: Path): Json {
    left -= 1;
    if (left < 0) throw tooMuch(`more than ${MAX_VALUES} values`);
    // The patch becomes part of a state, which may not be deeper itself.
    if (path.length >= MAX_DEPTH - 1) throw tooMuch(`levels deeper than ${MAX_DEPTH - 1}`);
    const seen = hasToJson(original) ? original.toJSON(String(path.at(-1) ?? "")) : original;
    const why = whyRefused(seen);
    if (why !== undefined) throw refusal(why, path);
    if (Array.isArray(seen)) return seen.map((item: unknown, index) => copy(item, [...path, index]));
    if (typeof seen !== "object" || seen === null) return seen as Json;
    const target: JsonObject = {};
    for (const [key, item] of Object.entries(seen)) {
      if (item !== undefined) setOwn(target, key, copy(item, [...path, key]));
    }
    return target;
  }
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return (
    typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function"
  );
}

function tooMuch(what: string): CheckpointError {
  return new CheckpointError("usage", `It returned ${what}.`, {
    details: { found: what, path: formatPath([]) },
  });
}
