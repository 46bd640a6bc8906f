import { describe, expect, it } from "vitest";
import { chainEntries, entriesAfter, logDamage } from "./log-chain.ts";

const ID = "5f3a";
const log = chainEntries(ID, undefined, [{ a: 1 }, { b: 2 }, { c: 3 }]);
const [first, second, third] = log as [(typeof log)[0], (typeof log)[0], (typeof log)[0]];

describe("the chain of a log", () => {
  it("is whole as it was written, in one go or one by one", () => {
    expect(logDamage(ID, log)).toEqual([]);
    expect([first, second, ...chainEntries(ID, second, [{ c: 3 }])]).toEqual(log);
  });

  it.each([
    ["an entry was changed", [first, { ...second, text: '{"b":9}' }, third], 2],
    ["a hash was changed", [first, { ...second, hash: third.hash }, third], 2],
    ["an entry was taken out", [first, third], 2],
    ["two changed places", [second, first, third], 1],
    ["one was put in", [first, { ...first, number: 2 }, second, third], 2],
    ["it comes from another store", chainEntries("other", undefined, [{ a: 1 }]), 1],
  ])("is broken where %s", (_what, changed, at) => {
    expect(logDamage(ID, changed)).toMatchObject([
      { kind: "log", what: `The log is damaged from entry ${at} on.` },
    ]);
  });

  it("is read from any entry on, and not where that entry is gone", () => {
    const numbers = (after: number) =>
      entriesAfter(ID, after, after === 0 ? log : log.slice(after - 1)).map(({ number }) => number);
    expect([numbers(0), numbers(1), numbers(3), numbers(4)]).toEqual([[1, 2, 3], [2, 3], [], []]);
    expect(() => entriesAfter(ID, 1, [second, third])).toThrow("The log is damaged from entry 1 on.");
    expect(() => entriesAfter(ID, 1, [first, third])).toThrow("The log is damaged from entry 2 on.");
  });
});
