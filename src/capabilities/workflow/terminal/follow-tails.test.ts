import { expect, it } from "vitest";

import { newsIn } from "./follow-tails.ts";

it("tells what a tail has beyond the one before, also when its beginning has moved on", () => {
  const line = (at: number) => `line ${at} of what a step prints\n`;
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => line(from + at)).join("");
  expect(newsIn("", lines(0, 3))).toBe(lines(0, 3));
  expect(newsIn(lines(0, 3), lines(0, 3))).toBe("");
  expect(newsIn(lines(0, 3), lines(0, 5))).toBe(lines(3, 5));
  expect(newsIn(lines(0, 50), lines(20, 60))).toBe(lines(50, 60));
  expect(newsIn(lines(0, 50), lines(70, 90))).toBe(`[…]\n${lines(70, 90)}`);
});
