import type { Json } from "../../../core/objects/json.ts";

export const OPERATORS = ["==", "!=", "<=", ">=", "<", ">"] as const;

/** Inputs are texts, so the text `false` counts as false. */
export function isTrue(value: Json): boolean {
  return !(value === null || value === false || value === 0 || value === "" || value === "false");
}

export function compare(operator: (typeof OPERATORS)[number], a: Json, b: Json): boolean {
  const [left, right] = alike(a, b);
  if (operator === "==") return isEqual(left, right);
  if (operator === "!=") return !isEqual(left, right);
  const isComparable =
    (typeof left === "number" && typeof right === "number") ||
    (typeof left === "string" && typeof right === "string");
  if (!isComparable) return false;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

const isEqual = (a: Json, b: Json) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** A text that is compared with a number or a boolean is read as one, if it is one. */
function alike(a: Json, b: Json): [Json, Json] {
  if (typeof a === "string" && typeof b !== "string") return [read(a, b), b];
  if (typeof b === "string" && typeof a !== "string") return [a, read(b, a)];
  return [a, b];
}

function read(text: string, like: Json): Json {
  if (typeof like === "number" && text.trim() !== "" && !Number.isNaN(Number(text))) return Number(text);
  if (typeof like === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
