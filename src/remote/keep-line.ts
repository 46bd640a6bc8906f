import { CheckpointError } from "../errors.ts";
import type { Store } from "../store/contract.ts";
import { lineBetween } from "./line.ts";
import type { OtherLine } from "./pull.ts";

/** Lines of one machine that differ. More are a sign that something else is wrong. */
const MOST_LINES = 99;

/**
 * How lines are named that were kept beside a trail: `main@laptop`, then `main@laptop-2`. That of a run is not the trail
 * of a run itself.
 */
export function* lineNames(trail: string, machine: string): Generator<string> {
  const base = trail.startsWith("run/") ? `other/${trail}` : trail;
  const name = isLineName(trail) ? trail : `${base}@${asPart(machine)}`;
  yield name;
  for (let number = 2; number <= MOST_LINES; number++) yield `${name}-${number}`;
}

export const isLineName = (trail: string) => trail.includes("@");

/** A machine's name, with what a trail's name may hold. */
function asPart(machine: string): string {
  const part = machine.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-+|-+$/g, "");
  return part.slice(0, 60) || "unknown";
}

/**
 * Keeps the other line of a diverged trail as a visible trail, and returns its name. A line that is there already, or is
 * a part of one, is not kept twice; nothing that is there is moved to another line.
 */
export async function keepLine(
  store: Store,
  { staging, last }: OtherLine,
  names: Iterable<string>,
): Promise<string> {
  const { id } = last.checkpoint;
  const adopts = (await store.head(staging)) === undefined ? undefined : staging;
  for (const name of names) {
    const head = await store.head(name);
    if (head !== undefined && (await lineBetween(store, id, head)).isWhole) {
      if (adopts !== undefined) await store.remove({ trails: [adopts] });
      return name;
    }
    if (head !== undefined && !(await lineBetween(store, head, id)).isWhole) continue;
    await store.commit({ ...last, trail: name, head: { from: head }, adopts, revives: true });
    return name;
  }
  throw tooManyLines();
}

export function tooManyLines(): CheckpointError {
  return new CheckpointError("failed", `A trail has more than ${MOST_LINES} lines that differ.`, {
    hint: "Join some of them (checkpoint pull --join): checkpoint trails shows them all.",
  });
}
