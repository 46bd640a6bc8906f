import { describe, expect, it } from "vitest";
import { ago, inUtc } from "./time.ts";

const NOW = new Date("2026-01-23T12:00:00.000Z");

describe("ago", () => {
  it.each([
    ["2026-01-23T11:59:30.000Z", "just now"],
    ["2026-01-23T11:58:30.000Z", "1 min ago"],
    ["2026-01-23T09:10:00.000Z", "2 h ago"],
    ["2026-01-22T09:00:00.000Z", "1 day ago"],
    ["2026-01-13T12:00:00.000Z", "10 days ago"],
    ["2025-12-01T12:00:00.000Z", "2025-12-01"],
    ["2026-01-23T12:00:30.000Z", "just now"],
    ["2026-01-24T12:00:00.000Z", "2026-01-24"],
    ["nonsense", "at an unknown time"],
  ])("%s was %s", (time, words) => {
    expect(ago(time, NOW)).toBe(words);
  });
});

describe("inUtc", () => {
  it("needs no translation", () => {
    expect(inUtc("2026-01-23T12:00:00.123Z")).toBe("2026-01-23 12:00:00 UTC");
    expect(inUtc("nonsense")).toBe("nonsense");
  });
});
