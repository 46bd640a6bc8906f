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
  return new CheckpointError("usage", `The state holds ${why} at ${place}, which JSON cannot say.`, {
    hint: `Store a string, a number, a boolean, null, an array or a plain object at ${place}.`,
    details: { path: place, found: why },
  });
}

export function tooDeep(state: unknown, path: Path): CheckpointError {
  const place = formatPath(path.slice(0, 8));
  if (isCyclic(state)) {
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

function isCyclic(root: unknown): boolean {
  const done = new Set<unknown>();
  const open = new Set<unknown>();
  // An explicit stack, because this runs exactly when recursion has gone too deep.
  const stack: { value: unknown; leaving: boolean }[] = [{ value: root, leaving: false }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, leaving } = item;
    if (leaving) {
      open.delete(value);
      done.add(value);
    } else if (typeof value === "object" && value !== null && !done.has(value)) {
      if (open.has(value)) return true;
      open.add(value);
      stack.push({ value, leaving: true });
      for (const child of Object.values(value)) stack.push({ value: child, leaving: false });
    }
  }
  return false;
}
