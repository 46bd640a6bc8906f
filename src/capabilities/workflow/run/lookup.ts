import type { Json } from "../../../core/objects/json.ts";
import type { NameLookup } from "../definition/condition.ts";
import type { Step } from "../definition/types.ts";
import { hasState, stateOf, type Run } from "./run-state.ts";

/** What the names in a condition of a step stand for in a run. */
export function lookupIn(run: Run, step: Step, scope: string): NameLookup {
  return ([root, name, ...rest]) => {
    if (name === undefined) return null;
    if (root === "inputs") return own({ ...run.inputs, ...step.inputs }, name);
    const scoped = stateOf(run, `${scope}${name}`);
    const state = hasState(scoped) ? scoped : stateOf(run, name);
    if (root === "steps") return state.status;
    return rest.reduce<Json>((value, key) => own(value, key), state.result ?? null);
  };
}

function own(value: Json, key: string): Json {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return null;
  return (value as Record<string, Json>)[key] ?? null;
}
