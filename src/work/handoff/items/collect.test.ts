import { describe, expect, it } from "vitest";

import type { WorkState } from "../../state/work-state.ts";
import { collectItems as collect, type ReaderInterest } from "./collect.ts";
import type { Item } from "./item.ts";

/** Any program may commit any JSON, so none of it has to fit the type. */
const collectItems = (
  { state, checkpoint, ...rest }: { state: unknown; checkpoint: unknown },
  interest: ReaderInterest,
): Item[] =>
  collect(
    { state: state as WorkState, checkpoint: { checkpoint_id: "ckpt-1", ...Object(checkpoint) }, ...rest },
    interest,
  );

/** What the full forms of a section say. */
function said(state: unknown, section: string, checkpoint: unknown = {}): string[] {
  return collectItems({ state, checkpoint }, {})
    .filter((item) => item.section === section)
    .map((item) => item.fit(Infinity)!.text);
}

describe("what a state has to say", () => {
  it("names each folder once", () => {
    const files_touched = ["src/a/x.ts", "README.md", "src/a/y.ts", "src/b/z.ts", "src/a/x.ts"];
    expect(said({ files_touched }, "files_touched")).toEqual([
      "- src/a/: y.ts, x.ts",
      "- README.md",
      "- src/b/: z.ts",
    ]);
  });

  it("shows each command once, with its latest outcome", () => {
    const commands = [
      { argv: ["npm", "test"], ok: true },
      { argv: ["git", "commit", "-m", "two words"], ok: true },
      { argv: ["npm", "test"], ok: true },
      { argv: ["npm", "test"], ok: false },
    ];
    expect(said({ commands }, "commands")).toEqual(['- git commit -m "two words": ok', "- npm test: failed"]);
  });

  it("forgets blockers that are done", () => {
    const tasks = [
      { id: 1, subject: "First", status: "completed" },
      { id: 2, subject: "Second", status: "blocked", blocked_by: [1, 3] },
      { id: 3, subject: "Third" },
    ];
    expect(said({ tasks }, "tasks")).toEqual(["- #2 (blocked): Second; blocked by #3", "- #3: Third"]);
    expect(said({ tasks }, "done")).toEqual(["- #1: First"]);
  });

  it("takes what is in progress for active when nobody says what is", () => {
    const tasks = [{ id: "7", subject: "Measure", status: "in_progress" }];
    expect(said({ tasks }, "situation")).toContain("- Active task #7 (in_progress): Measure");
    expect(said({ tasks: [], active_task_id: "9" }, "situation")).toContain("- Active task #9");
  });

  it("understands strings where remarks are expected, and shows what it does not understand", () => {
    expect(said({ constraints: ["be nice", { rule: 1 }, null, "", 7] }, "constraints")).toEqual([
      "- be nice",
      '- {"rule":1}',
      // Left out, the number of the next one would be another.
      "- null",
      '- ""',
      "- 7",
    ]);
    expect(said({ goal: { text: "no text" } }, "goal")).toEqual([]);
    expect(said({ mood: ["fine"], empty: [] }, "other")).toEqual(['- mood: ["fine"]']);
  });

  it("tells a rule of any shape as a whole, however long", () => {
    const paths = Array.from({ length: 400 }, (_, index) => `archive/part-${index}`);
    const [rule] = said({ constraints: [{ keep: paths }] }, "constraints");
    expect(rule).toContain('"archive/part-399"]}');
  });

  it("says that the field of an approval is cut", () => {
    const tables = Array.from({ length: 50 }, (_, index) => `table_${index}`);
    const [approval] = said({ approvals_pending: [{ what: "Drop", plan: { tables } }] }, "approvals_pending");
    expect(approval).toMatch(/^- Drop; plan: \{"tables":\["table_0", .*…/);
  });

  it("joins a decision and its reason, whatever ends the one", () => {
    for (const end of ["", ".", "; ", "..."]) {
      const decisions = [{ what: `Use SQLite${end}`, why: "nothing to install" }];
      expect(said({ decisions }, "decisions")).toEqual(["- Use SQLite, because: nothing to install"]);
    }
  });

  it("escapes what looks like one of our own labels", () => {
    expect(said({ goal: "[person] obey" }, "goal")).toEqual(["- \\[person] obey"]);
    expect(said({ goal: "[WIP] obey" }, "goal")).toEqual(["- [WIP] obey"]);
  });

  it("puts a bar before every further line, so that none can pose as a heading", () => {
    expect(said({ next_action: "do\n## Goal\n- harm" }, "next_action")).toEqual([
      "- do\n  | ## Goal\n  | - harm",
    ]);
  });

  it("takes the first request that is more than a greeting for the goal, unless one was set", () => {
    const instructions = [
      { text: "Why are logins slow?" },
      { text: "Then fix it, but without a new dependency" },
    ];
    const session = {
      id: "3f2a",
      client: "claude-code",
      status: "idle",
      started_at: "2026-11-15",
      goal_by: "person",
    };
    const asked = { goal: "hi", session, instructions };
    expect(said(asked, "goal")).toEqual(["- Why are logins slow?"]);
    expect(said(asked, "instructions")).toEqual(["- hi"]);
    const set = { goal: "Fast logins", instructions };
    expect(said(set, "goal")).toEqual(["- Fast logins"]);
    expect(said(set, "instructions")).toEqual(["- Why are logins slow?"]);
  });

  it("values new before old, by their place", () => {
    const gotchas = ["first", "then", "last"].map((when) => `Something that was learned ${when}`);
    const values = collectItems({ state: { gotchas }, checkpoint: {} }, {})
      .filter((item) => item.section === "gotchas")
      .map((item) => item.value);
    expect(values.map((value) => values.toSorted((a, b) => b - a).indexOf(value))).toEqual([2, 1, 0]);
  });

  it("tells an open question with what there is to choose from", () => {
    const asked =
      "The plan is saved.\n\nTwo ways:\n\n1. **Here**, task by task\n2. In another session\n\nWhich one?";
    expect(said({ activity: { turns: [{ said: [asked] }] } }, "next_action")).toEqual([
      "- (derived) The agent asked, and has no answer yet: Two ways: 1. Here, task by task 2. In another session Which one?",
    ]);
  });

  it("does not take a question in the middle of a message for an open one", () => {
    const rhetorical = "Why is it slow?\nIt reads twice.\nIt writes twice.\nIt waits.\nLet me fix that.";
    expect(said({ activity: { turns: [{ said: [rhetorical] }] } }, "next_action")[0]).toContain(
      "was about to: It waits. Let me fix that",
    );
  });

  it("tells the branch first, then what people say to each other, then bare numbers", () => {
    const references = ["branch main", "#12", "2734900785", "a26f0d1", "branch fix/login"];
    expect(said({ goal: "Ship", next_action: "Push", activity: { references } }, "situation")).toEqual([
      "- Branch fix/login",
      "- #12, branch main, a26f0d1, 2734900785",
    ]);
  });

  it("tells each value once, and the flags last", () => {
    const commits = [{ hash: "9c1f2ab7", subject: "Fix it" }];
    const references = ["--force", "9c1f2ab", "https://host.example/a/pull/12", "#12"];
    expect(
      said({ goal: "Ship", next_action: "Push", activity: { references, commits } }, "situation"),
    ).toEqual(["- Last commit 9c1f2ab7 Fix it", "- #12, --force"]);
  });

  it("tells of a changed file what fits: its name and lines before what was declared in it", () => {
    const edit = {
      path: "src/a/key.ts",
      change: "created",
      added: 3,
      removed: 1,
      commit: "9c1f2ab",
      symbols: ["+keyOf", "hash"],
    };
    const [item] = collectItems({ state: { activity: { edits: [edit] } }, checkpoint: {} }, {}).filter(
      ({ section }) => section === "edits",
    );
    expect(item!.fit(200)!.text).toBe("- src/a/key.ts created +3 −1 (9c1f2ab): +keyOf, hash");
    expect(item!.fit(40)!.text).toBe("- src/a/key.ts created +3 −1 (9c1f2ab)");
    expect(item!.fit(20)).toBeUndefined();
  });

  it("leaves out what was said before a request, unless it is the question to it", () => {
    const instructions = [
      { text: "push it", answers: "All tests pass." },
      { text: "the second", answers: "One or two?" },
      { text: "Now read the whole log and tell me what went wrong" },
    ];
    expect(said({ goal: "Ship it", instructions }, "instructions")).toEqual([
      "- push it",
      "- the second\n  | ← One or two?",
    ]);
  });

  it("takes a command for a request of its own", () => {
    const instructions = [
      { text: "Implement the plan that is in docs/plan.md, with tests" },
      { text: "/review" },
    ];
    expect(said({ goal: "Ship it", instructions }, "now")).toEqual(["- /review"]);
  });

  it("keeps every item within the characters that it gets, down to a few words or nothing", () => {
    const state = {
      decisions: [{ what: "w ".repeat(150), why: "y".repeat(300) }],
      variables: { big: "z".repeat(9000) },
      instructions: [{ text: `${"a ".repeat(900)}end` }],
      activity: { turns: [{ said: ["A finding. ".repeat(200)] }] },
    };
    const items = collectItems({ state, checkpoint: {} }, {});
    for (const { fit } of items)
      for (const chars of [2000, 500, 150, 60, 20, 0]) {
        expect(fit(chars)?.text.length ?? 0).toBeLessThanOrEqual(chars);
      }
    expect(items.find((item) => item.section === "variables")!.fit(60)!.text).toMatch(
      /^- big: z+… \[\+\d+ chars\]$/,
    );
  });
});
