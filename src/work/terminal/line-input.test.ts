import { describe, expect, it } from "vitest";
import { LineInput } from "./line-input.ts";

describe("LineInput", () => {
  it("takes what is typed, key by key or all at once", () => {
    const input = new LineInput();
    expect(input.type("ye")).toBe("open");
    expect(input.type("s")).toBe("open");
    expect(input.text).toBe("yes");
    expect(input.type("\r")).toBe("entered");
    expect(new LineInput().type("no\n")).toBe("entered");
  });

  it("deletes whole characters, and the whole line", () => {
    const input = new LineInput();
    input.type("né🙂\u{7f}\u{7f}o");
    expect(input.text).toBe("no");
    input.type("\u{15}y");
    expect(input.text).toBe("y");
    input.type("\u{8}\u{8}\u{8}");
    expect(input.text).toBe("");
  });

  it("ignores arrows, control characters and escape sequences", () => {
    const input = new LineInput();
    input.type("\u{1b}[Aa\u{1b}[1;5Cb\u{1b}OP\u{7}\u{1b}");
    expect(input.text).toBe("ab");
  });

  it("lets people leave", () => {
    expect(new LineInput().type("y\u{4}")).toBe("left");
  });
});
