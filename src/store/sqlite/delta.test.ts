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

  it("comes to an end whatever is damaged", () => {
    const base = Buffer.from('V\n{"count":1,"hash":"0123456789abcdef0123456789abcdef"}');
    const edited = Buffer.from('V\n{"count":2,"hash":"fedcba9876543210fedcba9876543210"}');
    const delta = deltaOf(edited, base);
    const apply = (bytes: Uint8Array) => {
      try {
        return applyDelta(bytes, base).length >= 0;
      } catch {
        return true;
      }
    };
    // The third number of an edit, as large as ten bytes can say.
    const huge = Uint8Array.from([0, 0, 0x07, 0, 0, ...Array.from({ length: 4 }, () => 0xff), 0x0f]);
    expect(apply(huge)).toBe(true);
    for (let bit = 0; bit < delta.length * 8; bit++) {
      const damaged = Uint8Array.from(delta);
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(apply(damaged)).toBe(true);
    }
  });
});
