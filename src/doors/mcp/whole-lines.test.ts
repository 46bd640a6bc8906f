import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LongLine, WholeLines } from "./whole-lines.ts";

async function pass(chunks: readonly string[], maxBytes: number) {
  const long: LongLine[] = [];
  const lines: string[] = [];
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(
    new WholeLines(maxBytes, (line) => long.push(line)),
  );
  for await (const line of stream) lines.push(String(line));
  return { lines, long };
}

describe("WholeLines", () => {
  it("passes lines on whole, however they arrive", async () => {
    const cut = fc.array(fc.string({ maxLength: 5, unit: fc.constantFrom("a", "é", "\n") }));
    await fc.assert(
      fc.asyncProperty(cut, async (chunks) => {
        const whole = chunks.join("");
        const { lines } = await pass(chunks, 1000);
        expect(lines.every((line) => line.endsWith("\n"))).toBe(true);
        expect(lines.join("")).toBe(whole.slice(0, whole.lastIndexOf("\n") + 1));
      }),
    );
  });

  it("leaves out lines that are too long, and goes on with the next", async () => {
    const { lines, long } = await pass(['{"id":7,', "x".repeat(50), '"}\n{"ok":1}\n'], 30);
    expect(lines).toEqual(['{"ok":1}\n']);
    expect(long).toHaveLength(1);
    expect(long[0]).toMatchObject({ bytes: 61 });
    expect(long[0]?.start).toMatch(/^\{"id":7,x+/);
    expect(long[0]?.end).toMatch(/x"\}\n$/);
  });

  it("keeps only the ends of a line that is too long", async () => {
    const chunks = [`{"start":"`, ...Array.from({ length: 500 }, () => "y".repeat(1000)), `","id":12}\n`];
    const { long } = await pass(chunks, 10_000);
    expect(long[0]?.end.length).toBeLessThanOrEqual(2048);
    expect(long[0]?.end).toMatch(/"id":12\}\n$/);
  });

  it("drops what has no end", async () => {
    const stream = Readable.from([Buffer.from("a\nb")]).pipe(new WholeLines(100, () => {}));
    expect(await text(stream)).toBe("a\n");
  });
});
