import { describe, expect, it } from "vitest";
import { durationMs, formatDuration, timerMs } from "./duration.ts";

describe("durations", () => {
  it("need a unit", () => {
    expect(["500ms", "5s", "10m", "1h30m", "1.5s", "2d", "4w"].map(durationMs)).toEqual([
      500, 5000, 600_000, 5_400_000, 1500, 172_800_000, 2_419_200_000,
    ]);
    for (const text of ["5", "", "5x", "s", "-1s"]) expect(durationMs(text)).toBeUndefined();
  });

  it("are limited to what a timer can wait for", () => {
    expect(["3w", "4w"].map(timerMs)).toEqual([1_814_400_000, undefined]);
  });

  it("are shown in two units at most", () => {
    expect([850, 4200, 185_000, 7_800_000, 700_000_000].map(formatDuration)).toEqual([
      "850 ms",
      "4.2 s",
      "3 min 5 s",
      "2 h 10 min",
      "8 days",
    ]);
  });
});
