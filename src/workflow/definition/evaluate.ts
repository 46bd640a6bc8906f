import type { Json } from "../../objects/json.ts";
import type { Expression } from "./condition.ts";

/** What a name in a condition stands for; null when it stands for nothing. */
export type NameLookup = (path: readonly string[]) => Json;

/** Whether a condition holds. Pure; compares numbers with texts that are numbers, since inputs are texts. */
export function holds(expression: Expression, lookup: NameLookup): boolean {
  return isTrue(valueOf(expression, lookup));
}

function valueOf(expression: Expression, lookup: NameLookup): Json {
  switch (expression.kind) {
    case "value":
      return expression.value;
    case "name":
      return lookup(expression.path);
    case "not":
      return !holds(expression.of, lookup);
    case "and":
      return holds(expression.left, lookup) && holds(expression.right, lookup);
    case "or":
      return holds(expression.left, lookup) || holds(expression.right, lookup);
    case "compare":
      break;
  }
  return compare(expression.operator, valueOf(expression.left, lookup), valueOf(expression.right, lookup));
}

/** Inputs are texts, so the text `false` counts as false. */
function isTrue(value: Json): boolean {
  return !(value === null || value === false || value === 0 || value === "" || value === "false");
}

function compare(operator: "==" | "!=" | "<" | "<=" | ">" | ">=", a: Json, b: Json): boolean {
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

export function namesIn(expression: Expression): (readonly string[])[] {
  if (expression.kind === "value") return [];
  if (expression.kind === "name") return [expression.path];
  if (expression.kind === "not") return namesIn(expression.of);
  return [...namesIn(expression.left), ...namesIn(expression.right)];
}
