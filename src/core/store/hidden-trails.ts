/**
 * How the name of a trail begins that is not for people: no user can choose such a name. It shows only to who asks
 * for it by name, and leaves no tombstones.
 */
export const HIDDEN_PREFIX = ".";

export function isHidden(trail: string): boolean {
  return trail.startsWith(HIDDEN_PREFIX);
}
