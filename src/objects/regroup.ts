import type { RunEnd } from "./cut.ts";
import type { Group, Level } from "./entry.ts";
import type { Child } from "./object-format.ts";

export interface Regrouping {
  readonly items: readonly unknown[];
  /** The level as it was before, whose items are the same references where nothing changed. */
  readonly old: Level | undefined;
  readonly endOf: (start: number) => RunEnd;
  /** Writes a group as an object. `predecessor` is the one it resembles, if it may be stored as a change. */
  readonly write: (start: number, end: number, predecessor: Child | undefined) => Pick<Group, "child" | "chars">;
}

/** Cuts items into groups, keeping every old group whose items are all still there. */
export function regroup({ items, old, endOf, write }: Regrouping): Group[] {
  const groups: Group[] = [];
  // Which old group the next new one most likely grew out of.
  let next = 0;
  for (let start = 0; start < items.length;) {
    const kept = old && keptGroup(items, start, old, next);
    if (kept !== undefined && old) {
      const group = old.groups[kept] as Group;
      const shift = start - group.start;
      groups.push(shift === 0 ? group : { ...group, start, end: group.end + shift });
      next = kept + 1;
    } else {
      const { end, closed } = endOf(start);
      const { child, chars } = write(start, end, old && predecessorOf(old, next, closed));
      groups.push({ start, end, child, chars, closed });
      next++;
    }
    start = (groups.at(-1) as Group).end;
  }
  return groups;
}

/** The old group, from `next` on, that stands unchanged at `start`. */
function keptGroup(items: readonly unknown[], start: number, old: Level, next: number): number | undefined {
  for (let index = next; index < old.groups.length; index++) {
    const group = old.groups[index] as Group;
    if (old.items[group.start] !== items[start]) continue;
    return isUnchanged(items, start, old, group) ? index : undefined;
  }
  return undefined;
}

function isUnchanged(items: readonly unknown[], start: number, old: Level, group: Group): boolean {
  const length = group.end - group.start;
  const left = items.length - start;
  // An open group takes in whatever now follows it.
  if (group.closed ? left < length : left !== length) return false;
  for (let offset = 1; offset < length; offset++) {
    if (items[start + offset] !== old.items[group.start + offset]) return false;
  }
  return true;
}

/**
 * A group that has just been closed by growth is stored whole (no predecessor): it will stay for long, and
 * reading it must not need a chain. A group beyond the old end resembles the last old one.
 */
function predecessorOf(old: Level, next: number, closed: boolean): Child | undefined {
  const predecessor = old.groups[Math.min(next, old.groups.length - 1)];
  if (predecessor === undefined) return undefined;
  const isClosedByGrowth = closed && !predecessor.closed;
  return isClosedByGrowth ? undefined : predecessor.child;
}
