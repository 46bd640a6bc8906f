const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago something was, as people say it; the date for what is older than two weeks, or in the future. */
export function ago(createdAt: string, now: Date): string {
  const passedMs = now.getTime() - Date.parse(createdAt);
  if (Number.isNaN(passedMs)) return "at an unknown time";
  if (passedMs < -MINUTE_MS || passedMs > 14 * DAY_MS) return createdAt.slice(0, 10);
  if (passedMs < MINUTE_MS) return "just now";
  if (passedMs < HOUR_MS) return `${Math.floor(passedMs / MINUTE_MS)} min ago`;
  if (passedMs < DAY_MS) return `${Math.floor(passedMs / HOUR_MS)} h ago`;
  const days = Math.floor(passedMs / DAY_MS);
  return days === 1 ? "1 day ago" : `${days} days ago`;
}

/** `2026-01-23 12:00:00 UTC` */
export function inUtc(createdAt: string): string {
  const time = Date.parse(createdAt);
  return Number.isNaN(time)
    ? createdAt
    : `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
