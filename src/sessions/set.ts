/** Sets a property; returns whether it was another before. Undefined sets nothing. */
export function set<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  value: Target[Key] | undefined,
): boolean {
  if (value === undefined || isSame(target[key], value)) return false;
  target[key] = value;
  return true;
}

/** Small values only: both are written out to be compared. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}
