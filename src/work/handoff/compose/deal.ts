export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * Deals out room in proportion to the weights. None gets more than it wants; what one leaves goes to the others, like
 * water that fills vessels of different height.
 */
export function deal(room: number, wants: readonly number[], weights: readonly number[]): number[] {
  const given = wants.map(() => 0);
  // Those that are satisfied first come first: then the level of all others is known.
  const order = [...wants.keys()].toSorted(
    (a, b) => wants[a]! / weights[a]! - wants[b]! / weights[b]! || a - b,
  );
  let [left, weight] = [Math.max(0, room), sum(weights)];
  for (const index of order) {
    const fair = (left * weights[index]!) / weight;
    given[index] = Math.min(wants[index]!, fair);
    left -= given[index];
    weight -= weights[index]!;
  }
  return given;
}
