import { expect, it } from "vitest";
import { questionWords, runWords } from "./run-words.ts";

const at = "2026-01-23T12:00:00Z";

it("says in words what was decided, and what a review came to", () => {
  const run = {
    workflow: "ship",
    status: "awaiting_approval",
    definition: [
      { id: "plan", kind: "command" },
      { id: "ready", kind: "approval" },
      { id: "colour", kind: "approval" },
      { id: "council/ann", kind: "command", reviewer: "ann" },
      { id: "council/ben", kind: "command", reviewer: "ben" },
      { id: "council/cat", kind: "command", reviewer: "cat" },
      { id: "council", kind: "join", review: { reviewers: ["ann", "ben", "cat"] } },
      { id: "phase-one", kind: "join" },
      { id: "go", kind: "approval" },
      { id: "deploy", kind: "command" },
    ],
    steps: [
      { id: "plan", status: "completed", result: { pages: 3 } },
      {
        id: "ready",
        status: "completed",
        result: { approved: true, by: "ann", at, reason: "looks fine" },
        decision: { approved: true, by: "ann", at, reason: "looks fine" },
      },
      {
        id: "colour",
        status: "completed",
        result: { approved: true, by: "ann", at, option: "green" },
        decision: { approved: true, by: "ann", at, option: "green" },
      },
      { id: "council/ann", status: "completed", result: { verdict: "reject", reason: "too big" } },
      { id: "council/ben", status: "completed" },
      { id: "council/cat", status: "failed", reason: "It ended with status 1." },
      {
        id: "council",
        status: "completed",
        result: { approved: ["ben"], dissent: [{ reviewer: "ann", reason: "too big" }], abstained: [] },
      },
      { id: "go", status: "awaiting_approval" },
    ],
    artifacts: { "plan.md": { step: "plan" } },
  };
  expect(runWords(run)).toEqual({
    head: "ship: awaiting approval, 6 of 8 steps done",
    detail: undefined,
    open: [{ id: "go", text: "awaiting approval" }],
    done: ["plan", "ready", "colour", "council/ann", "council/ben", "council/cat"],
    pending: ["deploy"],
    results: [
      { id: "plan", text: '{"pages":3}' },
      { id: "ready", text: "approved by ann, looks fine" },
      { id: "colour", text: '"green" chosen by ann' },
      { id: "council/ann", text: '{"verdict":"reject", "reason":"too big"}' },
      { id: "council/cat", text: "abstained: It ended with status 1." },
      { id: "council", text: "1 of 3 approved, against: ann (too big)" },
    ],
    files: ["plan.md (plan)"],
  });
});

it("asks the question of a run with its answers", () => {
  expect(
    questionWords({ run: "ship-1", step: "colour", question: "Which?", options: ["blue", "green"] }),
  ).toBe("ship-1 colour: Which? (blue, green)");
  expect(questionWords({ what: "delete the bucket" })).toBeUndefined();
});

it("shows what another tool recorded as a run as it is", () => {
  expect(runWords({ name: "nightly", state: "green" })).toMatchObject({
    head: "nightly: green",
    detail: '{"name":"nightly", "state":"green"}',
  });
});
