import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { widthOf } from "../../../work/terminal/columns.ts";
import { styleFor } from "../../../work/terminal/output.ts";
import { liveFrame, type LiveState } from "./live-frame.ts";
import { LiveProgress } from "./live-progress.ts";

const STATE: LiveState = {
  running: [{ step: "plan", attempt: 2, sinceMs: 1000, said: "reading src/main.ts" }],
  retrying: [{ step: "fetch", atMs: 14_500 }],
  waiting: ["ship", "build"],
  completed: 1,
  total: 5,
  sinceMs: 0,
  asked: undefined,
  isPausing: false,
};
const OPTIONS = { columns: 80, rows: 24, style: styleFor(false), nowMs: 12_400, turn: 0 };

describe("the live view", () => {
  it("shows what runs, since when, what it said last, and how far the run is", () => {
    expect(liveFrame(STATE, OPTIONS)).toEqual([
      "[⠋] plan  11 s  attempt 2",
      "    reading src/main.ts",
      "[!] fetch  retrying in 3 s",
      "[ ] then ship, build",
      "█████░░░░░░░░░░░░░░░░░░░  20 %  1 of 5 steps  12 s  Ctrl-C pauses",
    ]);
  });

  it("asks a question with what there is to look at", () => {
    const asked = {
      step: "ship",
      question: "Ship it?",
      options: ["a", "b"],
      files: ["x.md"],
      reason: null,
      typed: "2",
    };
    const frame = liveFrame({ ...STATE, running: [], retrying: [], waiting: [], asked }, OPTIONS);
    expect(frame.slice(0, -1)).toEqual([
      "[?] ship  Ship it?",
      "    to review: x.md",
      "    1  a",
      "    2  b",
      "    a number approves, n REASON rejects, Enter decides later",
      "  > 2▏",
    ]);
  });

  it("does not announce a step that is being asked about, also after a resume", () => {
    const steps = [
      { id: "ship", kind: "approval" },
      { id: "build", kind: "command" },
    ] as const;
    const known = { steps, done: new Set<string>(), mask: (text: string) => text };
    const progress = new LiveProgress(known, () => new Date(0));
    const asked = { step: "ship", question: "Ship it?", options: [], files: [], reason: null, typed: "" };
    expect(progress.state(asked).waiting).toEqual(["build"]);
  });

  it("shows a long question whole, and why it is asked again", () => {
    const question = "Is this really what you want, with all that follows from it, also in the long run?";
    const reason = "What was approved has changed since.";
    const asked = { step: "ship", question, options: [], files: [], reason, typed: "" };
    const frame = liveFrame(
      { ...STATE, running: [], retrying: [], waiting: [], asked },
      { ...OPTIONS, columns: 50 },
    );
    expect(frame.slice(0, 4)).toEqual([
      "[?] ship  Is this really what you want, with all",
      "    that follows from it, also in the long run?",
      "    asked again: What was approved has changed s…",
      "    y approves, n REASON rejects, Enter decides…",
    ]);
  });

  it("says that it pauses", () => {
    expect(liveFrame({ ...STATE, isPausing: true }, OPTIONS).at(-1)).toContain("Ctrl-C again ends at once");
  });

  it("never obeys what a step prints", () => {
    const running = [{ step: "x", attempt: 1, sinceMs: 0, said: "\u{1b}[2Jgone\u{202e}" }];
    const seen = liveFrame({ ...STATE, running }, OPTIONS).join("");
    expect(seen).toContain("gone");
    expect(seen).not.toContain("\u{1b}");
    expect(seen).not.toContain("\u{202e}");
  });

  it("is never wider or higher than the terminal", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    const asked = fc.option(
      fc.record({
        step: text,
        question: text,
        options: fc.array(text, { maxLength: 30 }),
        files: fc.array(text, { maxLength: 5 }),
        reason: fc.option(text),
        typed: text,
      }),
      { nil: undefined },
    );
    const step = fc.record({ step: text, attempt: fc.nat(9), sinceMs: fc.nat(), said: text });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(text, { maxLength: 30 }),
        asked,
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 10, max: 60 }),
        fc.boolean(),
        (running, waiting, question, columns, rows, isColoured) => {
          const state = { ...STATE, running, waiting, asked: question };
          const options = { ...OPTIONS, columns, rows, style: styleFor(isColoured) };
          const lines = liveFrame(state, options);
          expect(lines.length).toBeLessThan(rows);
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});
