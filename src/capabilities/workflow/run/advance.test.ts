import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { defineWorkflow } from "../definition/define-workflow.ts";
import type { Step, StepSource } from "../definition/types.ts";
import { advance } from "./advance.ts";
import { checkResume, type ResumeFacts } from "./resume-check.ts";
import { judge, type AttemptFacts } from "./judge.ts";
import { dropAfter, reopen } from "./reopen.ts";
import { resumePlanOf } from "./resume-plan.ts";
import { removable } from "./retention.ts";
import { isMet, stateOf, withSteps, type Run } from "./run-state.ts";
import { settle, type AttemptOutcome } from "./settle.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const RUNNER = { pid: 1, host: "h", since: NOW.toISOString() };

function newRun(steps: StepSource[], jobs = 3, inputs: Record<string, string> = {}): Run {
  const { steps: definition } = defineWorkflow({
    name: "w",
    inputs: Object.fromEntries(Object.keys(inputs).map((name) => [name, {}])),
    steps,
  });
  return {
    id: "r",
    workflow: "w",
    status: "pending",
    epoch: 1,
    created_at: NOW.toISOString(),
    updated_at: NOW.toISOString(),
    inputs,
    secret_inputs: [],
    jobs,
    definition,
    steps: [],
    artifacts: {},
    crashes: 0,
  };
}

const go = (run: Run, now = NOW) => advance(run, { now, digestOf: () => "d" });
const completed = (step: string, attempt = 1, result: unknown = null): AttemptOutcome => ({
  kind: "completed",
  step,
  attempt,
  artifacts: [],
  result: result as never,
});

describe("advance", () => {
  it("starts what can start, within the limit", () => {
    const plan = go(
      newRun(
        ["a", "b", "c"].map((id) => ({ id, needs: [], run: "x" })),
        2,
      ),
    );
    expect(plan.starts.map(({ step }) => step.id)).toEqual(["a", "b"]);
    expect(plan.run.status).toBe("running");
  });

  it("counts a skipped step as met, and records why", () => {
    const run = newRun(
      [
        { id: "a", if: "inputs.kind == 'docs'", run: "x" },
        { id: "b", run: "x" },
      ],
      1,
      { kind: "code" },
    );
    const plan = go(run);
    expect(plan.starts.map(({ step }) => step.id)).toEqual(["b"]);
    expect(stateOf(plan.run, "a")).toMatchObject({ status: "skipped", reason: "not inputs.kind == 'docs'" });
  });

  it("retries after a growing delay, then fails the run and starts nothing new", () => {
    let run = go(
      newRun([
        { id: "a", retry: { max: 1, backoff: "2s" }, run: "x" },
        { id: "b", needs: [], run: "x" },
        { id: "c", run: "x" },
      ]),
    ).run;
    run = settle(run, [{ kind: "failed", step: "a", attempt: 1, reason: "no" }], NOW);
    expect(go(run)).toMatchObject({ starts: [], wakeAt: NOW.getTime() + 2000 });
    const later = go(run, new Date(NOW.getTime() + 2000));
    expect(later.starts).toMatchObject([{ attempt: 2 }]);
    run = settle(later.run, [{ kind: "failed", step: "a", attempt: 2, reason: "no" }, completed("b")], NOW);
    const end = go(run);
    expect(end.starts).toEqual([]);
    expect(end.run.status).toBe("failed");
  });

  it("keeps dissent when the quorum is reached, and fails when it is not", () => {
    const review = (quorum: number) => {
      const run = go(newRun([{ id: "r", review: { reviewers: ["a", "b", "c"], quorum, run: "x" } }])).run;
      return go(
        settle(
          run,
          [
            completed("r/a"),
            completed("r/b", 1, { verdict: "reject", reason: "unsafe" }),
            { kind: "failed", step: "r/c", attempt: 1, reason: "gone" },
          ],
          NOW,
        ),
      ).run;
    };
    expect(stateOf(review(1), "r")).toMatchObject({
      status: "completed",
      result: {
        approved: ["a"],
        dissent: [{ reviewer: "b", reason: "unsafe" }],
        abstained: [{ reviewer: "c" }],
      },
    });
    expect(review(1).status).toBe("completed");
    expect(stateOf(review(2), "r")).toMatchObject({
      status: "failed",
      reason: "1 of 2 approvals; not: b (unsafe), c (gone)",
    });
    const again = reopen(review(2), { epoch: 2, runner: RUNNER, isExplicit: true });
    expect(go(again).starts.map(({ step }) => step.id)).toEqual(["r/b", "r/c"]);
  });

  it("takes no verdict for an approval that does not say so", () => {
    const run = go(newRun([{ id: "r", review: { reviewers: ["a", "b"], quorum: 2, run: "x" } }])).run;
    const verdict = { verdict: "changes requested", reason: "unsafe" };
    const reviewed = go(settle(run, [completed("r/a"), completed("r/b", 1, verdict)], NOW)).run;
    expect(stateOf(reviewed, "r")).toMatchObject({
      status: "failed",
      reason:
        '1 of 2 approvals; not: b (its verdict "changes requested" is neither "approve" nor "reject": unsafe)',
    });
    const again = reopen(reviewed, { epoch: 2, runner: RUNNER, isExplicit: true });
    expect(go(again).starts.map(({ step }) => step.id)).toEqual(["r/b"]);
  });

  it("ignores the result of an attempt that is no longer the newest", () => {
    const run = go(newRun([{ id: "a", run: "x" }])).run;
    const crashed = go(settle(run, [{ kind: "crashed", step: "a", attempt: 1, reason: "x" }], NOW)).run;
    expect(settle(crashed, [completed("a", 1)], NOW)).toBe(crashed);
  });

  it("pauses after three crashes in a row without progress; an explicit resume starts the count over", () => {
    let run = go(newRun([{ id: "a", run: "x" }])).run;
    for (let epoch = 2; epoch <= 4; epoch++)
      run = reopen({ ...run, status: "running" }, { epoch, runner: RUNNER, isExplicit: false });
    expect(run).toMatchObject({
      status: "paused",
      reason: "3 crashes in a row without a completed step.",
    });
    expect(reopen(run, { epoch: 5, runner: RUNNER, isExplicit: true })).toMatchObject({
      status: "running",
      crashes: 0,
    });
  });
});

/** A random graph: each step needs some of those before it. */
const graphs = fc
  .array(fc.record({ needs: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }), retries: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((nodes) =>
    nodes.map(({ needs, retries }, index): StepSource => ({
      id: `s${index}`,
      needs: index === 0 ? [] : [...new Set(needs.map((need) => `s${need % index}`))],
      retry: { max: retries, backoff: "1ms" },
      run: "x",
    })),
  );

describe("any run, with any failures and crashes", () => {
  it("never starts a completed step again, starts each at most 1 + retries + crashes times, and is deterministic", () => {
    fc.assert(
      fc.property(
        graphs,
        fc.array(fc.constantFrom("completed", "completed", "failed", "crashed" as const), { maxLength: 80 }),
        (steps, fates) => {
          let run = newRun(steps, 2);
          const starts = new Map<string, number>();
          const done = new Set<string>();
          let [time, next] = [NOW.getTime(), 0];
          for (let turns = 0; turns < 200; turns++) {
            const plan = go(run, new Date(time));
            expect(go(run, new Date(time))).toEqual(plan);
            for (const { step } of plan.starts) {
              expect(done.has(step.id)).toBe(false);
              for (const need of step.needs) expect(done.has(need)).toBe(true);
              starts.set(step.id, (starts.get(step.id) ?? 0) + 1);
            }
            run = plan.run;
            const running = run.definition.filter((step) => stateOf(run, step.id).status === "running");
            expect(running.length).toBeLessThanOrEqual(2);
            if (running.length === 0 && plan.wakeAt === undefined) break;
            time += 10;
            const outcomes = running.map((step): AttemptOutcome => {
              const kind = fates[next++ % Math.max(1, fates.length)] ?? "completed";
              const attempt = stateOf(run, step.id).attempt;
              if (kind === "completed") done.add(step.id);
              return kind === "completed"
                ? completed(step.id, attempt)
                : { kind: kind as "failed", step: step.id, attempt, reason: "x" };
            });
            run = settle(run, outcomes, new Date(time));
          }
          for (const step of run.definition) {
            const state = stateOf(run, step.id);
            expect(starts.get(step.id) ?? 0).toBe(state.attempt);
            expect(state.attempt).toBeLessThanOrEqual(1 + step.retries + state.crashes);
          }
          const isAllMet = run.definition.every((step) => isMet(step, stateOf(run, step.id)));
          expect(run.status === "completed").toBe(isAllMet);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("a fork", () => {
  it("drops what follows the step, names its files stale, and keeps the rest", () => {
    const run = newRun([
      { id: "a", run: "x" },
      { id: "b", run: "x" },
      { id: "c", run: "x" },
      { id: "d", needs: ["a"], run: "x" },
    ]);
    const artifact = (step: string) => ({
      path: `${step}.txt`,
      sha256: step,
      size_bytes: 1,
      step,
      attempt: 1,
      at: "",
    });
    let done = go(run).run;
    for (const id of ["a", "b", "d", "c"])
      done = go(
        settle(done, [{ kind: "completed", step: id, attempt: 1, artifacts: [artifact(id)] }], NOW),
      ).run;
    expect(done.status).toBe("completed");
    const after = dropAfter(done, { after: "b" });
    expect(after.steps.map(({ id }) => id).toSorted()).toEqual(["a", "b", "d"]);
    expect(after.stale_files).toEqual(["c.txt"]);
    expect(Object.keys(after.artifacts).toSorted()).toEqual(["a.txt", "b.txt", "d.txt"]);
    expect(
      dropAfter(done, { redo: "b" })
        .steps.map(({ id }) => id)
        .toSorted(),
    ).toEqual(["a", "d"]);
    expect(dropAfter(done, { after: null }).steps).toEqual([]);
    expect(resumePlanOf(after)).toMatchObject({
      completed: ["a", "b", "d"],
      remaining: ["c"],
      next: "c",
      progress_percentage: 75,
      can_resume: true,
    });
  });
});

describe("the judgement on an attempt after a crash", () => {
  const facts: AttemptFacts = { wasStarted: true, isSameBoot: true, outputs: "new" };
  it.each<[string, AttemptFacts, string]>([
    ["ended well, files there", { ...facts, exitStatus: 0 }, "adopt"],
    ["ended well, files gone", { ...facts, exitStatus: 0, outputs: "missing" }, "run again"],
    ["ended well, old files", { ...facts, exitStatus: 0, outputs: "old" }, "adopt"],
    ["ended well, verify fails", { ...facts, exitStatus: 0, isVerified: false }, "run again"],
    ["ended well, then a power cut", { ...facts, exitStatus: 0, isSameBoot: false }, "run again"],
    [
      "ended well, then a power cut, but verified",
      { ...facts, exitStatus: 0, isSameBoot: false, isVerified: true },
      "adopt",
    ],
    ["ended badly", { ...facts, exitStatus: 2 }, "failed"],
    ["ended by a shutdown", { ...facts, exitStatus: 143 }, "run again"],
    ["no status, new files, verified", { ...facts, isVerified: true }, "adopt"],
    ["no status, new files, nobody vouches", facts, "run again"],
    ["never started", { ...facts, wasStarted: false, outputs: "old" }, "run again"],
  ])("%s: %s", (_, given, verdict) => {
    expect(judge(given).verdict).toBe(verdict);
  });
});

describe("the check before resuming", () => {
  const run = { ...newRun([{ id: "a", run: "x" }]), git_head: "a".repeat(40) };
  const facts: ResumeFacts = {
    run,
    now: NOW,
    isTrusted: true,
    missing: [],
    changed: [],
    steps: run.definition,
    gitHead: "a".repeat(40),
    dirty: [],
  };
  const edited = run.definition.map((step) => ({ ...step, fingerprint: "another" }));
  const [{ fingerprint }] = run.definition as [Step];
  const done: Run = withSteps(run, { a: { ...stateOf(run, "a"), status: "completed", fingerprint } });
  const artifact = { path: "a.txt", sha256: "", size_bytes: 1, step: "a", attempt: 1, at: "" };
  it.each([
    ["nothing", {}, "resume", 0],
    ["a store from elsewhere", { isTrusted: false }, "re-plan", 4],
    ["a live runner", { owner: RUNNER }, "re-plan", 6],
    ["a missing artifact", { missing: [artifact] }, "re-plan", 6],
    ["a changed artifact", { changed: [artifact] }, "re-plan", 6],
    ["an edited step", { steps: edited }, "resume with warnings", 0],
    ["an edited step that is done", { steps: edited, run: done }, "resume with warnings", 0],
    ["a removed step that is done", { steps: [], run: done }, "resume with warnings", 0],
    ["a file that is gone", { fileIs: "gone" }, "resume with warnings", 0],
    ["a moved head", { gitHead: "b".repeat(40) }, "resume with warnings", 0],
    ["a dirty tree", { dirty: ["x.ts"] }, "resume with warnings", 0],
    ["an ancient state", { now: new Date(NOW.getTime() + 8 * 86_400_000) }, "resume with warnings", 0],
    ["a clock in the past", { now: new Date(NOW.getTime() - 86_400_000) }, "resume with warnings", 0],
  ] as const)("finds %s", (_, change, verdict, exit_status) => {
    const found = checkResume({ ...facts, ...change });
    expect(found).toMatchObject({ verdict, exit_status });
    for (const { remedy } of found.findings) expect(remedy).not.toBe("");
  });
});

describe("retention of a run's checkpoints", () => {
  it("keeps the last five steps, all approvals and failures, and the head", () => {
    const triggers = "run step approval step error step step step step step run".split(" ");
    const history = triggers.map((trigger, index) => ({ content_hash: `${index}` as never, trigger }));
    expect(removable(history.toReversed())).toEqual(["3", "1", "0"]);
  });
});
