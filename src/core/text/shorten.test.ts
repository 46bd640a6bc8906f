import { describe, expect, it } from "vitest";
import { capped, closeGaps, shortened } from "./shorten.ts";

const words = (length: number) => "word ".repeat(length / 5);

describe("a text that is too long", () => {
  it("keeps its beginning and its end, within the limit, and says how much is missing", () => {
    for (const length of [8005, 20_000, 1_000_000]) {
      const text = `first ${words(length)} last`;
      const short = closeGaps(capped(text, 8000));
      expect(short).toBe(shortened(text, 8000));
      expect(short.length).toBeLessThanOrEqual(8000);
      expect(short).toMatch(/^first [^]*\n… \[\d+ characters left out\] …\n[^]* last$/);
    }
    expect(closeGaps(capped("short", 8000))).toBe("short");
  });

  it("cannot pass for one that was cut", () => {
    const forged = `a\n\u{fdd0}2:900\u{fdd0}\nb`;
    expect(closeGaps(capped(forged, 8000))).toBe("a\n2:900\nb");
  });
});
