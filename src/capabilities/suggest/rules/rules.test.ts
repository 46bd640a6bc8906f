import { describe, expect, it } from "vitest";
import { type Activity, emptyActivity } from "../../../work/state/activity.ts";
import { emptyWorkState, type WorkState } from "../../../work/state/work-state.ts";
import type { Facts } from "../rule.ts";
import { RULES } from "./rules.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 10, minute)).toISOString();

describe("a failing check behind a pipe", () => {
  const result = {
    command: "go test ./... | tail -5",
    check: "go test ./...",
    ok: false,
    at: at(1),
    lines: [],
  };

  it("is told where its exit status said that it passed", () => {
    const hidden = { ...result, hidden: true as const };
    expect(told("hidden-failure", { activity: { results: [hidden] } })).toEqual([
      "`go test ./... | tail -5` failed and ended with status 0, because of its pipe.",
    ]);
  });

  it("is not told where the status was right, no pipe changed it, or the pipe looks for failures", () => {
    const elsewhere = { ...result, command: "go test ./...; echo done", hidden: true as const };
    const command = 'go test ./... | grep -E "^(---|FAIL)" | head';
    const reading = { ...result, command, hidden: true as const };
    expect(told("hidden-failure", { activity: { results: [result, elsewhere, reading] } })).toEqual([]);
  });
});

describe("edits that no commit holds", () => {
  const edits = (times: number) => [edit("a.ts", times, at(75)), edit("notes.md", 50, at(76))];
  const turns = [0, 15, 30, 45, 60, 75].map((minute) => ({ at: at(minute), said: [], steps: [] }));
  const written = [{ path: "a.ts", turn: at(0), lines: [] }];

  it("are told after an hour of work and ten edits of code", () => {
    expect(told("uncommitted", { activity: { edits: edits(10), turns, written } })).toEqual([
      "10 edits of 1 file in 75 minutes of work are in no commit.",
    ]);
    expect(told("uncommitted", { activity: { edits: edits(9), turns, written } })).toEqual([]);
    const late = [{ path: "a.ts", turn: at(45), lines: [] }];
    expect(told("uncommitted", { activity: { edits: edits(10), turns, written: late } })).toEqual([]);
  });

  it("are not told where git no longer calls the file changed", () => {
    const activity = { edits: edits(10), turns, written };
    expect(told("uncommitted", { activity, facts: { changed: new Set(["a.ts"]) } })).toHaveLength(1);
    expect(told("uncommitted", { activity, facts: { changed: new Set() } })).toEqual([]);
  });
});

describe("files that were read again after a compaction", () => {
  const compacted = { at: at(10), known: [], again: ["a.ts", "b.ts", "c.ts", "d.ts"] };

  it("are told from the third on", () => {
    expect(told("read-again", { activity: { compacted } })).toEqual([
      'After a compaction 4 files were read again, and not edited: a.ts, b.ts, c.ts and 1 more. Record what matters of them: checkpoint decide "…".',
    ]);
    const two = { ...compacted, again: ["a.ts", "b.ts"] };
    expect(told("read-again", { activity: { compacted: two } })).toEqual([]);
  });

  it("are not told where they were read in order to be edited", () => {
    const edits = [edit("a.ts", 1, at(20)), edit("b.ts", 1, at(20)), edit("c.ts", 1, at(5))];
    expect(told("read-again", { activity: { compacted, edits } })).toEqual([]);
  });
});

describe("refusals with words", () => {
  const refused = (...texts: string[]) => ({
    instructions: texts.map((text) => ({ text, at: at(1), answers: "refused: Bash git commit" })),
  });

  it("are told from the third on, if one of them holds for later sessions too", () => {
    const two = ["use the other file", "I did not say commit anything"];
    expect(told("refused-again", { state: refused(...two) })).toEqual([]);
    expect(told("refused-again", { state: refused(...two, "and the test") })).toHaveLength(1);
  });

  it("are not told where they are questions, or are about the one call only", () => {
    const questions = ["never mind, is it done?", "what is that?", "why do you never test?"];
    expect(told("refused-again", { state: refused(...questions) })).toEqual([]);
    expect(
      told("refused-again", { state: refused("use a map", "rename it", "why don't you clone it") }),
    ).toEqual([]);
  });
});

describe("the state of the work", () => {
  const task = { id: "1", subject: "Ship it", owner: null, blocks: [], blocked_by: [], at: at(0) };

  it("tells a plan that is open at the end of a session, once nothing goes on there", () => {
    const state = { tasks: [{ ...task, status: "pending" as const }] };
    expect(told("open-plan", { state, facts: { isQuiet: true } })).toEqual([
      'The session stopped with 1 of 1 task open: "Ship it"',
    ]);
    expect(told("open-plan", { state })).toEqual([]);
  });

  it("tells a task that is in progress for days", () => {
    const state = { tasks: [{ ...task, status: "in_progress" as const }] };
    const days = (day: number) => ({ trail: "main", now: new Date(Date.UTC(2026, 0, 5 + day, 11)) });
    expect(told("stale-task", { state, facts: days(3) })).toHaveLength(1);
    expect(told("stale-task", { state, facts: days(2) })).toEqual([]);
  });

  it("tells a blocker that nobody took on for a day", () => {
    const blockers = [{ text: "No test server", at: at(0) }];
    const later = { now: new Date(Date.UTC(2026, 0, 7)) };
    const owned = { ...task, status: "in_progress" as const, owner: "ana" };
    expect(told("unowned-blocker", { state: { blockers }, facts: later })).toEqual([
      "1 blocker without an owner, the oldest: blocker: No test server.",
    ]);
    expect(told("unowned-blocker", { state: { blockers } })).toEqual([]);
    expect(told("unowned-blocker", { state: { blockers, tasks: [owned] }, facts: later })).toEqual([]);
  });

  it("tells a step of high risk that waits for nobody's approval", () => {
    const step = (id: string, kind: string, needs: string[], risk?: string) => ({ id, kind, needs, risk });
    const run = (...definition: object[]) => ({ run: { status: "running", definition } }) as never;
    const bare = run(step("build", "command", []), step("deploy", "command", ["build"], "high"));
    expect(told("open-approval", { state: bare })).toHaveLength(1);
    expect(told("open-approval", { state: bare, facts: { isGoverned: true } })).toEqual([]);
    const asked = run(
      step("ask", "approval", []),
      step("build", "command", ["ask"]),
      step("deploy", "command", ["build"], "high"),
    );
    expect(told("open-approval", { state: asked })).toEqual([]);
  });
});

function edit(path: string, edits: number, when: string) {
  return { path, at: when, change: "changed" as const, edits, added: 1, removed: 1, symbols: [], lines: [] };
}

interface Given {
  readonly activity?: Partial<Activity>;
  readonly state?: Partial<WorkState>;
  readonly facts?: Partial<Facts>;
}

function told(rule: string, { activity, state = {}, facts = {} }: Given): string[] {
  const all: Facts = {
    trail: "session/s",
    state: {
      ...emptyWorkState(),
      ...state,
      ...(activity && { activity: { ...emptyActivity(), ...activity } }),
    },
    now: new Date(at(90)),
    isQuiet: false,
    changed: undefined,
    bugs: [],
    droppedRules: [],
    isGoverned: false,
    ...facts,
  };
  return RULES.filter(({ id }) => id === rule)
    .flatMap(({ find }) => find(all))
    .map(({ reason }) => reason);
}
