/** Something that took time: work, or a wait for a person, a signal or the next attempt. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly isWait: boolean;
}

/** The share of all work that a time without any is drawn as, at most. */
const MOST_IDLE = 0.06;

/**
 * Where moments stand between 0 and 100. A time in which nothing works is cut short, so that a wait of a person never
 * squeezes the steps.
 */
export function axisOf(spans: readonly Span[]): (at: number) => number {
  const times = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b);
  const changes = new Map<number, number>();
  for (const { from, to } of spans.filter(({ isWait }) => !isWait)) {
    changes.set(from, (changes.get(from) ?? 0) + 1);
    changes.set(to, (changes.get(to) ?? 0) - 1);
  }
  let working = 0;
  const parts = times.slice(0, -1).map((from, index) => {
    working += changes.get(from) ?? 0;
    return { length: times[index + 1]! - from, isWork: working > 0 };
  });
  const work = parts.reduce((sum, { length, isWork }) => sum + (isWork ? length : 0), 0);
  let reached = 0;
  const places = [
    0,
    ...parts.map(
      ({ length, isWork }) =>
        (reached += isWork || work === 0 ? length : Math.min(length, Math.max(1, work * MOST_IDLE))),
    ),
  ];
  return (at) => {
    const next = times.findIndex((time) => time >= at);
    if (next <= 0) return next === 0 ? 0 : 100;
    const [before, after] = [times[next - 1]!, times[next]!];
    const share = (at - before) / (after - before);
    return (100 * (places[next - 1]! + share * (places[next]! - places[next - 1]!))) / (reached || 1);
  };
}
