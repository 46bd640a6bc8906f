import fc from "fast-check";
import { expect, it } from "vitest";
import { editProgress } from "./edit-progress.ts";
import { formatNote, formatProgress } from "./format-progress.ts";
import { parseProgress } from "./parse-progress.ts";
import { PHASES, STATUSES, type AgentProgress } from "./progress.ts";

const words = fc
  .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
  .filter((text) => text.trim() !== "");
const minute = fc
  .integer({ min: 0, max: 59 })
  .map((at) => `2026-02-14T10:${String(at).padStart(2, "0")}:00.000Z`);
const state: fc.Arbitrary<AgentProgress> = fc.record(
  {
    feature: fc.constant("f"),
    agent: fc.constant("a"),
    team: fc.constantFrom("one", "two"),
    phase: fc.constantFrom(...PHASES),
    status: fc.constantFrom(...STATUSES),
    last_action: words,
    updated: minute,
    notes: fc.array(fc.record({ at: minute, text: words }), { maxLength: 5 }),
  },
  { requiredKeys: ["feature", "agent", "phase", "status", "last_action", "updated", "notes"] },
);

it("makes any file say any state, as writing it anew does", () => {
  fc.assert(
    fc.property(state, state, (before, after) => {
      const edited = editProgress(formatProgress(before), { ...after, team: after.team ?? before.team! });
      const { notes, ...fields } = parseProgress(edited, "f-a.md");
      expect(fields.last_action).toBe(after.last_action);
      expect(notes.map(formatNote)).toEqual(after.notes.map(formatNote));
    }),
  );
});

it.each([
  ["plain", "status: blocked # why"],
  ["in single quotes", "status: 'blocked' # why"],
  ["over several lines", "last_action: >-\n  one\n  two\nstatus: blocked # why"],
])("replaces a value that is written %s", (_how, fields) => {
  const rest = 'feature: f\nagent: a\nphase: design\nupdated: "2026-02-14T10:30:00Z"';
  const line = fields.includes("last_action") ? [] : ['last_action: "two"'];
  const text = ["---", rest, ...line, fields, "---", "", "- [10:00] one", ""].join("\n");
  const progress = { ...parseProgress(text, "f-a.md"), status: "complete", last_action: "three" } as const;
  const edited = editProgress(text, progress);
  expect(parseProgress(edited, "f-a.md")).toEqual(progress);
  expect(edited).toContain('status: "complete" # why\n');
});

it("reads a file that begins with a mark of its encoding, and dashes with blanks behind them", () => {
  const text = formatProgress({
    feature: "f",
    agent: "a",
    phase: "design",
    status: "blocked",
    last_action: "x",
    updated: "2026-02-14T10:30:00Z",
    notes: [],
  });
  const odd = `\uFEFF${text.replaceAll("---", "--- ")}`;
  expect(parseProgress(odd, "f-a.md")).toEqual(parseProgress(text, "f-a.md"));
});
