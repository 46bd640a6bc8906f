import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseForeignJson } from "./parse-json.ts";

const refusing = (text: string) => {
  try {
    parseForeignJson(text, "x.json");
  } catch (error) {
    return (error as Error).message;
  }
  return "taken";
};

describe("parsing JSON from elsewhere", () => {
  it("gives what JSON.parse gives for everything that survives it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseForeignJson(text, "x.json")).toEqual(JSON.parse(text));
      }),
    );
  });

  it("takes integers that stay what they are, fractions, and digits inside strings", () => {
    const text =
      '[9007199254740991,9007199254740992,100000000000000000000,-0,-9007199254740991,0.1234567890123456789,1e21,"12345678901234567890"]';
    expect(parseForeignJson(text, "x.json")).toEqual(JSON.parse(text));
  });

  it.each([
    [
      '{"a":[1,{"id":9007199254740993}]}',
      '"x.json" has the number 9007199254740993 at a[1].id, which cannot be kept exactly.',
    ],
    [
      "-12345678901234567890",
      '"x.json" has the number -12345678901234567890 at (root), which cannot be kept exactly.',
    ],
    ['{"big":1e400}', '"x.json" has the number 1e400 at big, which cannot be kept exactly.'],
    ['{"tasks":[{"id":1,"id":2}]}', '"x.json" has the key tasks[0].id twice.'],
    ['{"a\\"b":1,"a\\u0022b":2}', '"x.json" has the key ["a\\"b"] twice.'],
    ['{"__proto__":1,"__proto__":2}', '"x.json" has the key __proto__ twice.'],
  ])("refuses %s", (text, message) => {
    expect(refusing(text)).toBe(message);
  });

  it("does not take equal keys of different objects for duplicates", () => {
    const text = '{"a":{"a":{"b":1},"b":[{"a":1},{"a":2}]},"b":"\\\\","c":"\\"a\\":"}';
    expect(parseForeignJson(text, "x.json")).toEqual(JSON.parse(text));
  });

  it("refuses nesting that others could not walk, however deep, and takes what they can", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(refusing(nested(256))).toBe("taken");
    expect(refusing(nested(257))).toBe(
      '"x.json" nests deeper than 256 levels, below [0][0][0][0][0][0][0][0].',
    );
    expect(refusing(nested(1_000_000))).toContain("nests deeper");
  });

  it("takes a state under `state` as deep as one that stands flat", () => {
    const under = (key: string, depth: number) => `{"${key}":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(refusing(under("a", 255))).toBe("taken");
    expect(refusing(under("a", 256))).toContain("nests deeper");
    expect(refusing(under("state", 256))).toBe("taken");
    expect(refusing(under("state", 257))).toContain("nests deeper");
  });

  it("says what is wrong with text that is no JSON", () => {
    expect(refusing('{"a":')).toMatch(/^"x.json" is not JSON: /);
    expect(refusing("")).toMatch(/^"x.json" is not JSON: /);
    expect(refusing("# README")).toMatch(/^"x.json" is not JSON: /);
  });

  it("overlooks a byte order mark", () => {
    expect(parseForeignJson('\uFEFF{"a":1}', "x.json")).toEqual({ a: 1 });
  });

  it("takes time in proportion to the text, also for long runs of escapes", () => {
    const text = JSON.stringify({ path: "\\".repeat(2_000_000), quotes: '"'.repeat(1_000_000) });
    expect(parseForeignJson(text, "x.json")).toEqual(JSON.parse(text));
  });
});
