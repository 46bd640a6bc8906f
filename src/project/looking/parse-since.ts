import { CheckpointError } from "../../errors.ts";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A moment in the past, as people type it: `7d`, `12h`, `2026-01-23`. */
export function parseSince(text: string, now: Date): Date {
  const { number, unit } = /^(?<number>\d{1,6})(?<unit>[mhdw])$/.exec(text)?.groups ?? {};
  if (number !== undefined && unit !== undefined)
    return new Date(now.getTime() - Number(number) * (UNITS[unit] ?? 0));
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time);
  throw new CheckpointError("usage", `"${text}" is neither a date nor a time such as 7d.`, {
    hint: "--since 7d, --since 12h or --since 2026-01-23",
    details: { text },
  });
}
