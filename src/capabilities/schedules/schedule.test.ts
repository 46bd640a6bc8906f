import { describe, expect, it } from "vitest";

import { checkCron, dueRunId, dueTimes, nextDue, type Schedule } from "./schedule.ts";

const daily: Schedule = {
  name: "report",
  cron: "0 7 * * *",
  timezone: "Europe/Berlin",
  file: "report.yaml",
  inputs: {},
  missed: "last",
  after: "2026-03-26T12:00:00.000Z",
  by: "person",
};
const times = (schedule: Partial<Schedule>, now: string) =>
  dueTimes({ ...daily, ...schedule }, new Date(now)).map((time) => time.toISOString());

describe("a schedule", () => {
  it("is due by the clock of its own zone, also when that changes", () => {
    // Clocks go forward on 29 March 2026.
    expect(times({ missed: "all" }, "2026-03-30T05:00:00Z")).toEqual([
      "2026-03-27T06:00:00.000Z",
      "2026-03-28T06:00:00.000Z",
      "2026-03-29T05:00:00.000Z",
      "2026-03-30T05:00:00.000Z",
    ]);
  });

  it("makes up for the last time that was missed, for all of them, or for none", () => {
    const late = "2026-03-30T09:00:00Z";
    expect(times({}, late)).toEqual(["2026-03-30T05:00:00.000Z"]);
    expect(times({ missed: "skip" }, late)).toEqual([]);
    expect(times({ missed: "skip" }, "2026-03-30T05:00:20Z")).toEqual(["2026-03-30T05:00:00.000Z"]);
    expect(times({ missed: "all", after: "2020-01-01T00:00:00.000Z" }, late)).toHaveLength(100);
  });

  it("is due again at once when a clock that was ahead was set back", () => {
    const after = "2027-01-01T00:00:00.000Z";
    expect(times({ after, missed: "all" }, "2026-03-27T06:00:05.000Z")).toEqual(["2026-03-27T06:00:00.000Z"]);
    expect(times({ after, missed: "all" }, "2026-03-27T08:00:00.000Z")).toEqual([]);
  });

  it("is not due before its first time, nor twice", () => {
    expect(times({}, "2026-03-27T05:59:59.999Z")).toEqual([]);
    expect(times({}, "2026-03-27T06:00:00.000Z")).toEqual(["2026-03-27T06:00:00.000Z"]);
    expect(times({ after: "2026-03-27T06:00:00.000Z" }, "2026-03-27T06:00:01.000Z")).toEqual([]);
    expect(nextDue(daily, new Date("2026-03-27T06:00:00.000Z"))?.toISOString()).toBe(
      "2026-03-28T06:00:00.000Z",
    );
  });

  it("names the run of a time after it", () => {
    expect(dueRunId(daily, new Date("2026-03-27T06:00:00.000Z"))).toBe("report-20260327-060000Z");
  });

  it("is refused when it cannot be read, or never comes", () => {
    for (const [cron, zone] of [
      ["nonsense", "UTC"],
      ["0 7 * * *", "Mars/Olympus"],
      ["0 0 30 2 *", "UTC"],
      ["61 * * * *", "UTC"],
    ] as const)
      expect(() => checkCron(cron, zone)).toThrow("is not a schedule.");
  });
});
