import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "./json.ts";
import { createValueCodec } from "./more-than-json.ts";

const { write, read } = createValueCodec();
const throughText = (value: unknown) => read(JSON.parse(JSON.stringify(write(value))) as Json);

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  maxDepth: 4,
  key: fc.oneof(fc.string(), fc.constantFrom("$set", "$data", "$bytes", "$own", "__proto__")),
});

it("gives back whatever it was given", () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(throughText(value)).toEqual(value);
    }),
  );
});

it("gives back bytes, patterns and errors as what they were", () => {
  const error = Object.assign(new Error("no"), { name: "OddError" });
  expect(throughText({ bytes: new Uint8Array([0, 255]), pattern: /a+/giu, error })).toEqual({
    bytes: new Uint8Array([0, 255]),
    pattern: /a+/giu,
    error,
  });
});

it("returns what is JSON already as it is", () => {
  const value = { list: [1, { text: "a" }], none: null };
  expect(write(value)).toBe(value);
  expect(read(write(value))).not.toBe(value);
});

it("takes kinds of the caller's own, and leaves data alone that looks like one", () => {
  class Point {
    readonly x: number;
    constructor(x: number) {
      this.x = x;
    }
  }
  const points = createValueCodec({
    $point: {
      is: (value) => value instanceof Point,
      write: ({ x }: Point) => x,
      read: (x: number) => new Point(x),
    },
  });
  const value = { at: new Point(Number.NaN), data: { $point: 3 }, more: { $point: 3, y: 1 } };
  const found = points.read(points.write(value)) as typeof value;
  expect(found).toEqual(value);
  expect(found.at).toBeInstanceOf(Point);
  expect(found.data).not.toBeInstanceOf(Point);
});

it("writes instances of other classes as JSON would, and leaves functions out", () => {
  class Named {
    readonly name = "n";
    readonly #hidden = 1;
    get hidden() {
      return this.#hidden;
    }
  }
  const value = { named: new Named(), url: new URL("http://a.example/"), act: () => 1, acts: [() => 1] };
  expect(read(write(value))).toEqual({ named: { name: "n" }, url: "http://a.example/", acts: [null] });
});
