import { CheckpointError } from "../../../core/errors.ts";
import { durationMs } from "../../../core/text/duration.ts";

/** A time in the past, as people type it: `7d`, `12h`, `2026-01-23`. */
export function parseSince(text: string, now: Date): Date {
  const ms = durationMs(text);
  if (ms !== undefined && ms < now.getTime()) return new Date(now.getTime() - ms);
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time);
  throw new CheckpointError("usage", `"${text}" is neither a date nor a time such as 7d.`, {
    hint: "--since 7d, --since 12h or --since 2026-01-23",
    details: { text },
  });
}
