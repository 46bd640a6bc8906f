import type { Path } from "../../../core/objects/json.ts";
import { didYouMean, type Problems } from "../../../work/yaml/problems.ts";
import type { Step } from "./types.ts";

type GraphStep = Pick<Step, "id" | "needs">;

/** Where a step is written in the document, so that a problem can point at it. */
export type PathOfStep = (step: GraphStep) => Path;

/** Reports duplicate names, needs that are not steps, and circles. A circle is drawn. Returns whether there was nothing to report. */
export function checkGraph(steps: readonly GraphStep[], pathOf: PathOfStep, problems: Problems): boolean {
  const before = problems.all.length;
  const byId = new Map<string, GraphStep>();
  for (const step of steps) {
    const { id } = step;
    if (byId.has(id))
      problems.add([...pathOf(step), "id"], `Two steps are called "${id}".`, "Give each its own name");
    // The first keeps the name: another one right after it would seem to wait for itself.
    else byId.set(id, step);
  }
  const ids = [...byId.keys()];
  for (const step of steps) {
    for (const need of step.needs.filter((name) => !byId.has(name))) {
      problems.add(
        [...pathOf(step), "needs"],
        `Step "${step.id}" needs "${need}", which is not a step.`,
        didYouMean(need, ids, `The steps are ${ids.slice(0, 10).join(", ")}`),
      );
    }
  }
  const circle = findCircle([...byId.values()]);
  if (circle !== undefined)
    problems.add(
      [...pathOf(byId.get(circle[0]!)!), "needs"],
      `These steps wait for each other:\n${drawCircle(circle)}`,
      `Remove one of the needs, for example "${circle[1] ?? circle[0]}" from the needs of "${circle[0]}"`,
    );
  return problems.all.length === before;
}

/** The steps of a circle, each needing the next and the last the first; undefined when there is none. */
function findCircle(steps: readonly GraphStep[]): string[] | undefined {
  const left = new Map(steps.map(({ id, needs }) => [id, needs]));
  const nextIn = (id: string) => left.get(id)?.find((need) => left.has(need));
  // A step that needs nothing that is left is in no circle. What remains in the end is, or waits for one.
  for (let before = -1; before !== left.size;) {
    before = left.size;
    for (const id of left.keys()) if (nextIn(id) === undefined) left.delete(id);
  }
  const path: string[] = [];
  let id = left.keys().next().value;
  for (; id !== undefined && !path.includes(id); id = nextIn(id)) path.push(id);
  return id === undefined ? undefined : path.slice(path.indexOf(id));
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

/** Everything that waits for this step, directly or not. */
export function descendantsOf(id: string, steps: readonly GraphStep[]): Set<string> {
  const dependents = new Map<string, string[]>(steps.map((step) => [step.id, []]));
  for (const step of steps) for (const need of step.needs) dependents.get(need)?.push(step.id);
  return reachableFrom(id, dependents);
}

/** Everything that this step waits for, directly or not. */
export function ancestorsOf(id: string, steps: readonly GraphStep[]): Set<string> {
  return reachableFrom(id, new Map(steps.map((step) => [step.id, step.needs])));
}

function reachableFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const queue = [start];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const next of edges.get(id) ?? []) {
      if (!found.has(next)) queue.push(next);
      found.add(next);
    }
  }
  return found;
}
