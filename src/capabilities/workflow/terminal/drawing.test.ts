import { describe, expect, it } from "vitest";
import { Drawing } from "./drawing.ts";

describe("Drawing", () => {
  const draw = () => {
    const written: string[] = [];
    return { written, drawing: new Drawing((text) => written.push(text)) };
  };

  it("draws over itself in one write, and erases nothing before its successor is there", () => {
    const { written, drawing } = draw();
    drawing.show(["one", "two"], 80);
    drawing.show(["three"], 80, "for good");
    expect(written).toEqual([
      "\u{1b}[?2026h\u{1b}[?25l\rone\u{1b}[K\ntwo\u{1b}[K\n\u{1b}[J\u{1b}[?2026l",
      "\u{1b}[?2026h\u{1b}[2A\rfor good\u{1b}[K\nthree\u{1b}[K\n\u{1b}[J\u{1b}[?2026l",
    ]);
  });

  it("writes nothing when nothing has changed", () => {
    const { written, drawing } = draw();
    drawing.show(["one"], 80);
    drawing.show(["one"], 80);
    expect(written).toHaveLength(1);
  });

  it("goes back far enough in a terminal that has become narrower", () => {
    const { written, drawing } = draw();
    drawing.show(["a".repeat(100), "b"], 120);
    drawing.show(["c"], 40);
    expect(written[1]).toContain("\u{1b}[4A\r");
  });

  it("leaves the terminal as it was, once", () => {
    const { written, drawing } = draw();
    drawing.show(["one"], 80);
    drawing.clear();
    drawing.clear();
    expect(written.slice(1)).toEqual(["\u{1b}[1A\r\u{1b}[J\u{1b}[?25h"]);
  });
});
