import type { Step } from "../definition/types.ts";
import { kept } from "./kept.ts";

/** What follows from the definition of a run alone. */
interface DefinitionIndex {
  readonly positions: ReadonlyMap<string, number>;
  /** The positions of what each step waits for. A need that an edit removed blocks nothing. */
  readonly needs: readonly (readonly number[])[];
  /** The positions of joins, of steps that wait for a signal, and of those with conditions: what becomes of these may follow without starting anything. */
  readonly decidable: readonly number[];
  /** Whether a step comes from a pipeline of another tool. */
  readonly isImported: boolean;
}

const indexIn = kept((definition: readonly Step[]): DefinitionIndex => {
  const positions = new Map(definition.map((step, position) => [step.id, position]));
  return {
    positions,
    needs: definition.map(({ needs }) => needs.flatMap((id) => positions.get(id) ?? [])),
    decidable: definition.flatMap(({ kind, conditions }, position) =>
      kind === "join" || kind === "signal" || conditions ? [position] : [],
    ),
    isImported: definition.some(({ kind }) => kind === "imported"),
  };
});

/** Definitions are never mutated, so this is derived once for each. */
export const indexOf = ({ definition }: { readonly definition: readonly Step[] }): DefinitionIndex =>
  indexIn(definition);
