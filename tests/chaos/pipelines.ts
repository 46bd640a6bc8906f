import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import type { WorkflowSource } from "../../src/capabilities/workflow/definition/types.ts";
import type { ChaosFile, ChaosTest } from "../../src/capabilities/chaos/chaos-file.ts";

/** A chaos test of a workflow that is defined here. */
function chaosTest(source: WorkflowSource, more: Partial<ChaosFile> = {}): ChaosTest {
  const { steps, ...workflow } = defineWorkflow(source);
  const definition = { ...workflow, steps: steps.map((step) => ({ ...step, backoff_ms: 0 })) };
  return { file: `${source.name}.yaml`, workflow: `${source.name}.yaml`, definition, ...more };
}

const has = (root: string, name: string) => existsSync(join(root, name));
const read = (root: string, name: string) => readFileSync(join(root, name), "utf8");
const write = (root: string, name: string, text: string) => writeFileSync(join(root, name), text);

interface SeededBug {
  readonly test: ChaosTest;
  /** The invariant that the bug breaks. */
  readonly breaks: string;
}

/** Pipelines of several agents, each with one bug that no run without faults shows. */
export const SEEDED_BUGS: Readonly<Record<string, SeededBug>> = {
  "an agent that takes a second attempt for a repetition, and skips it": {
    breaks: "mail-sent-once",
    test: chaosTest(
      {
        name: "skips",
        steps: [
          { id: "draft", run: ({ root }) => write(root, "mail.txt", "Dear customer") },
          {
            id: "send",
            retry: 1,
            run: ({ root, attempt }) =>
              attempt > 1 ? "sent before" : write(root, "outbox.txt", read(root, "mail.txt")),
          },
          { id: "file", run: () => "filed" },
        ],
      },
      { invariants: [{ name: "mail-sent-once", holds: ({ root }) => has(root, "outbox.txt") }] },
    ),
  },
  "two agents that add to one report, in the order in which they end": {
    breaks: "same-result",
    test: chaosTest({
      name: "race",
      steps: [
        { id: "notes", run: ({ root }) => write(root, "report.md", "# Report\n") },
        {
          id: "backend",
          needs: ["notes"],
          run: async ({ root }) => {
            await new Promise(setImmediate);
            return read(root, "report.md").length;
          },
        },
        { id: "frontend", needs: ["notes"], run: () => 0 },
        {
          id: "add-backend",
          needs: ["backend"],
          run: ({ root }) => appendFileSync(join(root, "report.md"), "backend\n"),
        },
        {
          id: "add-frontend",
          needs: ["frontend"],
          run: ({ root }) => appendFileSync(join(root, "report.md"), "frontend\n"),
        },
      ],
    }),
  },
  "an agent that gives up on the sources at its third attempt, and says nothing": {
    breaks: "sources-read",
    test: chaosTest(
      {
        name: "degrades",
        steps: [
          { id: "plan", run: () => ({ sources: 2 }) },
          {
            id: "research",
            retry: 3,
            run: ({ root, attempt }) =>
              write(root, "research.json", attempt > 2 ? "[]" : '["rfc 9110", "rfc 9112"]'),
          },
          { id: "write", run: ({ root }) => write(root, "article.md", read(root, "research.json")) },
        ],
      },
      {
        invariants: [{ name: "sources-read", holds: ({ root }) => read(root, "article.md").includes("rfc") }],
      },
    ),
  },
  "an answer that comes too late, and overwrites the newer one": {
    breaks: "newest-plan-built",
    test: chaosTest(
      {
        name: "stale",
        steps: [
          {
            id: "plan",
            retry: 2,
            run: ({ root, attempt }) => {
              write(root, "plan.txt", String(attempt));
              return { attempt };
            },
          },
          { id: "build", run: ({ root }) => write(root, "build.txt", read(root, "plan.txt")) },
        ],
      },
      {
        faults: ["late", "slow", "kill", "twice"],
        invariants: [
          {
            name: "newest-plan-built",
            holds: ({ root, run }) => {
              const planned = run?.steps.find(({ id }) => id === "plan")?.result as { attempt: number };
              return read(root, "build.txt") === String(planned.attempt);
            },
          },
        ],
      },
    ),
  },
  "a council whose quorum lets a rejection pass": {
    breaks: "no-veto-overruled",
    test: chaosTest(
      {
        name: "council",
        steps: [
          { id: "design", run: ({ root }) => write(root, "design.md", "a design") },
          {
            id: "review",
            review: { reviewers: ["security", "product"], quorum: 1, run: () => ({ verdict: "approve" }) },
          },
          { id: "ship", approve: "Ship it?" },
          { id: "publish", run: ({ root }) => write(root, "published.txt", "yes") },
        ],
      },
      {
        invariants: [
          {
            name: "no-veto-overruled",
            holds: ({ root, run }) => {
              const review = run?.steps.find(({ id }) => id === "review")?.result as
                | { dissent: unknown[] }
                | undefined;
              return !has(root, "published.txt") || review?.dissent.length === 0;
            },
          },
        ],
      },
    ),
  },
};

/** A pipeline of several agents that does everything right: each step makes its files anew, and nothing is added to. */
export const CORRECT = chaosTest(
  {
    name: "correct",
    steps: [
      { id: "plan", run: ({ root }) => write(root, "plan.json", '["a", "b"]') },
      { id: "a", needs: ["plan"], retry: 2, run: ({ root }) => write(root, "a.txt", "a") },
      { id: "b", needs: ["plan"], retry: 1, run: ({ root }) => write(root, "b.txt", "b") },
      {
        id: "join",
        needs: ["a", "b"],
        run: ({ root }) => {
          write(root, "joined.txt", read(root, "a.txt") + read(root, "b.txt"));
          return { joined: 2, ok: true };
        },
      },
      {
        id: "review",
        needs: ["join"],
        review: {
          reviewers: ["security", "product", "quality"],
          quorum: 2,
          run: ({ results }) => ({ verdict: results["join"] === null ? "reject" : "approve" }),
        },
      },
      { id: "ship", needs: ["review"], approve: { question: "How?", options: ["beta", "stable"] } },
      {
        id: "publish",
        needs: ["ship"],
        outputs: ["published.txt"],
        run: ({ root, results }) => {
          const { option } = results["ship"] as { option: string };
          write(root, "published.txt", `${option}: ${read(root, "joined.txt")}`);
        },
      },
    ],
  },
  {
    answers: { ship: "stable" },
    invariants: [
      {
        name: "stable-or-nothing",
        holds: ({ root }) => !has(root, "published.txt") || read(root, "published.txt") === "stable: ab",
      },
    ],
  },
);
