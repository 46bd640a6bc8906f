import { describe, expect, it } from "vitest";
import { type Activity, emptyActivity } from "../../state/activity.ts";
import { standing } from "./standing.ts";

const edit = (at: string, commit?: string) => ({
  path: `${at}.ts`,
  at: `2026-11-15T${at}:00.000Z`,
  change: "changed" as const,
  edits: 1,
  added: 1,
  removed: 0,
  symbols: [],
  lines: [],
  ...(commit === undefined ? {} : { commit }),
});
const passed = (at: string) => ({
  command: "npm test",
  check: "npm test",
  ok: true,
  at: `2026-11-15T${at}:00.000Z`,
  lines: [],
});
const wordsOf = (edits: object[], results: object[] = []) =>
  standing({ ...emptyActivity(), edits, results } as Activity).map((item) => item.fit(500)?.text);

describe("where the files stand", () => {
  it("is told by commits", () => {
    expect(wordsOf([edit("09:00")], [passed("09:30")])).toEqual([
      "- Nothing committed in this session (1 file changed)",
      "- Passed since the last edit: npm test at 09:30",
    ]);
    expect(wordsOf([edit("09:00", "f382f6fc"), edit("09:10")], [passed("09:30")])).toEqual([
      "- 1 file not committed (last commit f382f6fc)",
      "- Passed since the last edit: npm test at 09:30",
    ]);
    expect(wordsOf([edit("09:00", "f382f6fc")], [passed("09:30")])).toEqual([
      "- All changes are committed, last in f382f6fc",
      "- Passed since the last edit: npm test at 09:30",
    ]);
    expect(wordsOf([])).toEqual([]);
  });

  it("is told by checks, where none ran since the last edit", () => {
    expect(wordsOf([edit("09:00")], [passed("08:50")])[1]).toBe(
      "- No check since the last edit (09:00); before it passed: npm test at 08:50",
    );
    expect(wordsOf([edit("09:00")])[1]).toBe("- No check since the last edit (09:00)");
  });
});
