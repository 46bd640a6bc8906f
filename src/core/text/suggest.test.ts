import { describe, expect, it } from "vitest";
import { distanceBetween, suggest } from "./suggest.ts";

describe("suggest", () => {
  const commands = ["now", "load", "list", "log", "diff", "status", "summary", "task add"];

  it.each([
    ["lst", "list"],
    ["laod", "load"],
    ["sumary", "summary"],
    ["stat", "status"],
    ["task ad", "task add"],
    ["NOW", "now"],
  ])("takes %s for %s", (typed, meant) => {
    expect(suggest(typed, commands)).toBe(meant);
  });

  it("says nothing where nothing is close", () => {
    expect(suggest("frobnicate", commands)).toBeUndefined();
    expect(suggest("x", commands)).toBeUndefined();
  });
});

describe("distanceBetween", () => {
  it("counts what must be typed", () => {
    expect(distanceBetween("load", "load")).toBe(0);
    expect(distanceBetween("laod", "load")).toBe(1);
    expect(distanceBetween("", "load")).toBe(4);
    expect(distanceBetween("kitten", "sitting")).toBe(3);
  });
});
