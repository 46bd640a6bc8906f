import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { applyDelta, deltaOf } from "./delta.ts";

describe("a delta", () => {
  it("makes the same bytes again, whatever the base", () => {
    const bytes = fc.uint8Array({ maxLength: 500, size: "max" });
    fc.assert(
      fc.property(bytes, bytes, bytes, bytes, (front, one, other, end) => {
        const [from, to] = [Buffer.concat([front, one, end]), Buffer.concat([front, other, end])];
        expect(applyDelta(deltaOf(to, from), from)).toEqual(to);
      }),
    );
  });

  it("is short for a small edit in the middle of a long text", () => {
    const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line} of ${(line * 7919) % 10_007}\n`);
    const base = Buffer.from(lines.join(""));
    const edited = Buffer.from(lines.with(9000, "something else\n").join(""));
    const delta = deltaOf(edited, base);
    expect(delta.length).toBeLessThan(60);
    expect(applyDelta(delta, base)).toEqual(edited);
  });
});
