import { expect, it } from "vitest";

import { axisOf } from "./axis.ts";

const work = (from: number, to: number) => ({ from, to, isWait: false });

it("cuts a long wait short, and keeps steps in proportion", () => {
  const hour = 3_600_000;
  const x = axisOf([work(0, 1000), { from: 1000, to: hour, isWait: true }, work(hour, hour + 3000)]);
  const [first, second] = [x(1000) - x(0), x(hour + 3000) - x(hour)];
  expect(second / first).toBeCloseTo(3);
  expect(x(hour) - x(1000)).toBeLessThan(10);
  expect([x(0), x(hour + 3000)]).toEqual([0, 100]);
});

it("draws a short pause as long as it was", () => {
  const x = axisOf([work(0, 1000), work(1010, 2000)]);
  expect(x(1010) - x(1000)).toBeCloseTo(0.5);
});

it("does not fail where nothing took time", () => {
  expect(axisOf([])(0)).toBe(100);
  expect(axisOf([work(5, 5)])(5)).toBe(0);
});
