import type { OpenRun, RunEnd } from "./cut.ts";
import type { Group, TreeLevel } from "./entry.ts";
import type { Child } from "./object-format.ts";

export interface Regrouping {
  readonly items: readonly unknown[];
  /** The level as it was before, whose items are the same references where nothing changed. */
  readonly old: TreeLevel | undefined;
  /** How many items at the front are known to be the same; there may be more. */
  readonly same?: number;
  /** Leaves out what comes after the last boundary. */
  readonly onlyClosed?: boolean;
  /** What else must be the same: an object's entry may stand under another key. */
  readonly isSameKey?: (index: number, oldIndex: number) => boolean;
  readonly endOf: (open: OpenRun) => RunEnd;
  /**
   * Writes a group as an object. `predecessor` is the one it resembles, if it may be stored as a change; `grown` is the
   * old group that it begins with, whole.
   */
  readonly write: (
    start: number,
    end: number,
    predecessor: Child | undefined,
    grown: Group | undefined,
  ) => Pick<Group, "child" | "chars" | "bytes">;
}

/** Cuts items into groups, keeping every old group whose items are all still there. */
export function regroup(regrouping: Regrouping): Group[] {
  const { items, old, onlyClosed = false, endOf, write } = regrouping;
  const same = old ? sameFirst(regrouping, old) : 0;
  const groups = old ? untouchedGroups(old, same) : [];
  const last = old?.groups[groups.length];
  // Which old group the next new one most likely grew out of.
  let next = groups.length;
  const oldGroups = groupsByFirst(old, next);
  for (let start = groups.at(-1)?.end ?? 0; start < items.length;) {
    const kept = oldGroups.get(items[start]);
    const group = kept === undefined ? undefined : old?.groups[kept];
    if (old && kept !== undefined && group && isUnchanged(regrouping, start, old, group)) {
      const shift = start - group.start;
      groups.push(shift === 0 ? group : { ...group, start, end: group.end + shift });
      next = kept + 1;
    } else {
      const grown = last?.start === start && last.end <= same ? last : undefined;
      const { end, closed, size } = endOf(openRun(start, grown));
      if (onlyClosed && !closed) break;
      const predecessor = old && predecessorOf(old, next, closed, onlyClosed);
      const { child, chars, bytes } = write(start, end, predecessor, grown);
      groups.push({ start, end, child, chars, closed, ...(closed ? {} : { size, bytes }) });
      next++;
    }
    start = (groups.at(-1) as Group).end;
  }
  return groups;
}

/** Where to begin to look for the end of a run that begins at `start`. */
function openRun(start: number, grown: Group | undefined): OpenRun {
  return grown?.size === undefined ? { end: start, size: 0 } : { end: grown.end, size: grown.size };
}

/** How many items at the front are the same: most changes are near the end. */
function sameFirst({ items, isSameKey, same: known = 0 }: Regrouping, old: TreeLevel): number {
  const most = Math.min(items.length, old.items.length);
  let same = known;
  while (same < most && items[same] === old.items[same]) same++;
  if (isSameKey) for (let at = 0; at < same; at++) if (!isSameKey(at, at)) same = at;
  return same;
}

/** The old groups before the first change. */
function untouchedGroups(old: TreeLevel, same: number): Group[] {
  const touched = old.groups.findLastIndex(({ end, closed }) => closed && end <= same) + 1;
  return old.groups.slice(0, touched);
}

/** Where the old groups are, by their first items, from the one numbered `first` on. */
function groupsByFirst(old: TreeLevel | undefined, first: number): ReadonlyMap<unknown, number> {
  const groups = new Map<unknown, number>();
  for (let at = first; at < (old?.groups.length ?? 0); at++) {
    const item = old?.items[(old.groups[at] as Group).start];
    if (!groups.has(item)) groups.set(item, at);
  }
  return groups;
}

/** Whether all items of an old group stand at `start`, and would be cut there again. */
function isUnchanged(
  { items, isSameKey, onlyClosed }: Regrouping,
  start: number,
  old: TreeLevel,
  group: Group,
): boolean {
  const length = group.end - group.start;
  const left = items.length - start;
  if (onlyClosed && !group.closed) return false;
  // An open group takes in whatever now follows it.
  if (group.closed ? left < length : left !== length) return false;
  for (let offset = 0; offset < length; offset++) {
    const [index, oldIndex] = [start + offset, group.start + offset];
    if (items[index] !== old.items[oldIndex]) return false;
    if (isSameKey && !isSameKey(index, oldIndex)) return false;
  }
  return true;
}

/**
 * A group that has just been closed by growth is stored whole (no predecessor): it will stay for long, and
 * reading it must not need a chain. A run beyond the old end resembles the last old one; an index object resembles none.
 */
function predecessorOf(old: TreeLevel, next: number, closed: boolean, isIndex: boolean): Child | undefined {
  const predecessor = old.groups[isIndex ? next : Math.min(next, old.groups.length - 1)];
  if (predecessor === undefined) return undefined;
  const isClosedByGrowth = closed && !predecessor.closed;
  return isClosedByGrowth ? undefined : predecessor.child;
}
