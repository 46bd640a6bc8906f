import { describe, expect, it } from "vitest";
import { meaningOf } from "./typed-answers.ts";

describe("meaningOf", () => {
  it.each([
    ["y", [], { approved: true }],
    ["YES", [], { approved: true }],
    ["n", [], { approved: false }],
    ["no, it has no tests", [], { approved: false, reason: "it has no tests" }],
    ["n too big", ["a"], { approved: false, reason: "too big" }],
    ["2", ["alpha", "beta"], { approved: true, option: "beta" }],
    ["alpha", ["alpha", "beta"], { approved: true, option: "alpha" }],
    ["n", ["n", "m"], { approved: true, option: "n" }],
  ])("%j with options %j", (text, options, meaning) => {
    expect(meaningOf(text, options)).toEqual(meaning);
  });

  it.each([
    ["perhaps", []],
    ["nope", []],
    ["y", ["alpha", "beta"]],
    ["3", ["alpha", "beta"]],
    ["0", ["alpha"]],
    ["1", []],
  ])("does not guess what %j with options %j means", (text, options) => {
    expect(meaningOf(text, options)).toBeUndefined();
  });
});
