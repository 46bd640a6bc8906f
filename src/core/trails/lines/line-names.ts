import { CheckpointError } from "../../errors.ts";

/** Lines of one machine that differ. More are a sign that something else is wrong. */
const MOST_LINES = 99;

/**
 * How lines are named that were kept beside a trail: `main@laptop`, then `main@laptop-2`. That of a run is not the trail
 * of a run itself.
 */
export function* lineNames(trail: string, machine: string): Generator<string> {
  const name = isLineName(trail) ? trail : `${linePrefix(trail)}${asPart(machine)}`;
  yield name;
  for (let number = 2; number <= MOST_LINES; number++) yield `${name}-${number}`;
}

export const isLineName = (trail: string) => trail.includes("@");

/** The trail that a line is kept beside; a trail itself is its own. */
export const trailOfLine = (name: string) =>
  isLineName(name) ? name.slice(0, name.indexOf("@")).replace(/^other\//, "") : name;

/** What the names of all lines of a trail begin with. */
export const linePrefix = (trail: string) => `${trail.startsWith("run/") ? "other/" : ""}${trail}@`;

/** A machine's name, with what a trail's name may hold. */
function asPart(machine: string): string {
  const part = machine.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "");
  return part.slice(0, 60) || "unknown";
}

export function tooManyLines(): CheckpointError {
  return new CheckpointError("failed", `A trail has more than ${MOST_LINES} lines that differ.`, {
    hint: "Join some of them (checkpoint pull --join): checkpoint trails shows them all.",
  });
}
