import type { Json } from "../../core/objects/json.ts";
import { isRecord } from "../../core/text/untrusted.ts";

const OPPOSITES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["approve", "reject"],
    ["yes", "no"],
    ["pass", "fail"],
    ["passed", "failed"],
  ].flatMap(([one = "", other = ""]) => [
    [one, other],
    [other, one],
  ]),
);

/** The result of a step that says the opposite; undefined if it says nothing that has one. A reviewer without words approves. */
export function opposite(result: Json, isReviewer: boolean): Json | undefined {
  if (isReviewer && (!isRecord(result) || result["verdict"] === undefined)) return { verdict: "reject" };
  const turned = turn(result);
  return JSON.stringify(turned) === JSON.stringify(result) ? undefined : turned;
}

function turn(value: Json): Json {
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return OPPOSITES[value] ?? value;
  if (Array.isArray(value) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, turn(each)]));
}
