import { CheckpointError } from "../errors.ts";
import { formatPath, type Path } from "./json.ts";
import { MAX_DEPTH, MAX_STATE_CHARS } from "./limits.ts";

/** Objects that JSON would silently turn into `{}` or worse: refused, because their content would be lost. */
const LOSSY = [Map, Set, WeakMap, WeakSet, Promise, RegExp, ArrayBuffer, DataView, Error];

/** Why JSON cannot say this value, or undefined when it can. */
export function whyRefused(value: unknown): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "bigint") return "a BigInt";
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  if (value === undefined) return "undefined";
  if (typeof value !== "object") return undefined;
  if (ArrayBuffer.isView(value)) return "binary data";
  const lossy = LOSSY.find((kind) => value instanceof kind);
  return lossy && `${/^[AE]/.test(lossy.name) ? "an" : "a"} ${lossy.name}`;
}

export function refusal(why: string, path: Path): CheckpointError {
  const place = formatPath(path);
  return new CheckpointError("usage", `The state holds ${why} at ${place}, which JSON cannot express.`, {
    hint: `Store a string, a number, a boolean, null, an array or a plain object at ${place}.`,
    details: { path: place, found: why },
  });
}

export function tooDeep(state: unknown, path: Path): CheckpointError {
  const place = formatPath(path.slice(0, 8));
  if (isCyclic(state, path)) {
    return new CheckpointError("usage", `The state contains itself, below ${place}.`, {
      hint: "Store an id instead of a reference back to a parent.",
      details: { path: place, found: "a cycle" },
    });
  }
  return new CheckpointError("usage", `The state nests deeper than ${MAX_DEPTH} levels, below ${place}.`, {
    hint: "Flatten the value, or store it as a string.",
    details: { path: place, limit: MAX_DEPTH, found: "too deep" },
  });
}

export function tooLarge(): CheckpointError {
  return new CheckpointError("usage", `The state has more than ${MAX_STATE_CHARS} characters of JSON.`, {
    hint: "Keep large content in files and store their paths.",
    details: { limit: MAX_STATE_CHARS, found: "too large" },
  });
}

/** Whether the way to what is too deep leads through the same object twice. */
function isCyclic(state: unknown, path: Path): boolean {
  const passed = new Set<unknown>();
  let value = state;
  for (const step of path) {
    if (passed.has(value)) return true;
    passed.add(value);
    value = (value as Record<string | number, unknown> | undefined)?.[step];
  }
  return passed.has(value);
}
