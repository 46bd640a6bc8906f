const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g;
/** What a duration looks like: for the schema too. */
export const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+$/;

/** The longest delay that a timer can wait for; longer ones would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `500ms`, `5s`, `10m`, `1h30m`, `2d`, `3w` in milliseconds; undefined for anything else, also without a unit. */
export function durationMs(text: unknown): number | undefined {
  if (typeof text !== "string" || !DURATION.test(text)) return undefined;
  let sum = 0;
  for (const [, count, unit] of text.matchAll(PART)) sum += Number(count) * UNITS[unit as keyof typeof UNITS];
  return Math.round(sum);
}

/** A duration that a timer can wait for, in milliseconds; undefined for anything else. */
export function timerMs(text: unknown): number | undefined {
  const ms = durationMs(text);
  return ms !== undefined && ms <= MAX_TIMER_MS ? ms : undefined;
}

/** A length of time in two units at most, as people say it: `850 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`, `8 days`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  if (ms < UNITS.h) return joined(Math.floor(ms / UNITS.m), "min", Math.floor((ms % UNITS.m) / 1000), "s");
  if (ms < 2 * UNITS.d)
    return joined(Math.floor(ms / UNITS.h), "h", Math.floor((ms % UNITS.h) / UNITS.m), "min");
  return `${Math.floor(ms / UNITS.d)} days`;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
