import { closest, type Problems } from "./problems.ts";
import type { Step } from "./types.ts";

type Node = Pick<Step, "id" | "needs">;

/** Where a step stands in the document, so that a problem can point at it. */
export type PlaceOf = (id: string) => readonly (string | number)[];

/** Finds names used twice, needs that are not there, and circles. A circle is drawn. */
export function checkGraph(steps: readonly Node[], placeOf: PlaceOf, problems: Problems): void {
  const ids = new Set<string>();
  for (const { id } of steps) {
    if (ids.has(id))
      problems.add([...placeOf(id), "id"], `Two steps are called "${id}".`, "Give each its own name");
    ids.add(id);
  }
  for (const { id, needs } of steps) {
    for (const need of needs) {
      if (ids.has(need)) continue;
      const meant = closest(need, [...ids]);
      problems.add(
        [...placeOf(id), "needs"],
        `Step "${id}" needs "${need}", which is not a step.`,
        meant === undefined
          ? `The steps are ${[...ids].slice(0, 10).join(", ")}`
          : `Did you mean "${meant}"?`,
      );
    }
  }
  const circle = findCircle(steps);
  if (circle === undefined) return;
  problems.add(
    [...placeOf(circle[0]!), "needs"],
    `These steps wait for each other:\n${drawCircle(circle)}`,
    `Remove one of the needs, for example "${circle[1] ?? circle[0]}" from the needs of "${circle[0]}"`,
  );
}

/** The steps of a circle, each needing the next and the last the first; undefined when there is none. */
function findCircle(steps: readonly Node[]): string[] | undefined {
  const needs = new Map(steps.map((step) => [step.id, step.needs]));
  const done = new Set<string>();
  for (const { id } of steps) {
    const circle = searchFrom(id, needs, done);
    if (circle) return circle;
  }
  return undefined;
}

/** Depth first, with a list of its own instead of the call stack: a chain may be thousands of steps long. */
function searchFrom(
  start: string,
  needs: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
): string[] | undefined {
  const path: { id: string; next: number }[] = [];
  const onPath = new Set<string>();
  const enter = (id: string) => {
    path.push({ id, next: 0 });
    onPath.add(id);
  };
  if (!done.has(start)) enter(start);
  while (path.length > 0) {
    const top = path.at(-1)!;
    const need = needs.get(top.id)?.[top.next++];
    if (need === undefined) {
      done.add(top.id);
      onPath.delete(top.id);
      path.pop();
    } else if (onPath.has(need)) {
      return path.slice(path.findIndex(({ id }) => id === need)).map(({ id }) => id);
    } else if (!done.has(need)) enter(need);
  }
  return undefined;
}

/**
 * ```
 *   plan needs build
 *     build needs test
 *       test needs plan
 *         ↺ back to plan
 * ```
 */
function drawCircle(circle: readonly string[]): string {
  const lines = circle.map(
    (id, index) => `${"  ".repeat(index + 1)}${id} needs ${circle[(index + 1) % circle.length]}`,
  );
  return [...lines, `${"  ".repeat(circle.length + 1)}↺ back to ${circle[0]}`].join("\n");
}

/** Everything that waits for one of these steps, directly or not; they themselves are not in it. */
export function descendantsOf(ids: readonly string[], steps: readonly Node[]): Set<string> {
  const dependents = new Map<string, string[]>();
  for (const { id, needs } of steps) {
    for (const need of needs) dependents.set(need, [...(dependents.get(need) ?? []), id]);
  }
  const found = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const dependent of dependents.get(id) ?? []) {
      if (!found.has(dependent)) queue.push(dependent);
      found.add(dependent);
    }
  }
  return found;
}

/** Everything that one of these steps waits for, directly or not. */
export function ancestorsOf(ids: readonly string[], steps: readonly Node[]): Set<string> {
  const needs = new Map(steps.map((step) => [step.id, step.needs]));
  const found = new Set<string>();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const need of needs.get(id) ?? []) {
      if (!found.has(need)) queue.push(need);
      found.add(need);
    }
  }
  return found;
}
