import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../cli/support/sandbox.ts";
import { different, done, seed, shows } from "./support/promises.ts";

const AGENTS = [
  "orchestrator",
  "researcher",
  "planner",
  "test-master",
  "implementer",
  "reviewer",
  "security-auditor",
  "doc-master",
];

/** The seed's pipeline. An agent stops while there is a file that says so. */
const PIPELINE = `name: pipeline
inputs:
  request: { default: "Add a login page" }
steps:
${AGENTS.map(
  (agent) => `  - id: ${agent}
    agent: ${agent}
    run: "test ! -f stop-${agent} && echo ${agent} >> ran && echo x > ${agent}.json"
    outputs: [${agent}.json]
`,
).join("")}`;

const ran = (box: Sandbox) => readFileSync(join(box.folder, "ran"), "utf8").trim().split("\n");

/** Three agents have completed, and the fourth failed, as in the seed's example. */
function threeDone(box: Sandbox): void {
  box.write("pipeline.yaml", PIPELINE);
  box.write("stop-test-master", "");
  expect(box.run(["run", "pipeline.yaml", "--run-id", "20251023_093456"]).status).toBe(1);
  rmSync(join(box.folder, "stop-test-master"));
}

const CHECKPOINT_JSON = {
  version: "2.0",
  workflow_id: "20251023_093456",
  created_at: "2025-10-23T09:34:56",
  checkpoint_type: "agent_completion",
  completed_agents: ["orchestrator", "researcher", "planner"],
  current_agent: "test-master",
  artifacts_created: ["manifest.json"],
  metadata: { error: null, retry_count: 0 },
};

/** The seed's own example, as its tool would have left it. */
function imported(box: Sandbox): void {
  box.write("artifacts/20251023_093456/manifest.json", MANIFEST);
  box.write("artifacts/20251023_093456/checkpoint.json", JSON.stringify(CHECKPOINT_JSON));
  done(box, ["import", "artifacts/20251023_093456/checkpoint.json"]);
}

const MANIFEST = '{"request":"Add a logout page"}\n';
const RESUME = ["resume", "20251023_093456", "--workflow", "pipeline.yaml", "--trust"];

seed(
  "seed 003, Checkpoint/Resume System for autonomous-dev",
  {
    CheckpointManager: [
      shows("create_checkpoint after an agent completes", (box) => {
        threeDone(box);
        const { steps } = box.json("runs", "show", "20251023_093456") as { steps: { status: string }[] };
        expect(steps.map(({ status }) => status).slice(0, 4)).toEqual([
          "completed",
          "completed",
          "completed",
          "failed",
        ]);
      }),
      shows("load_checkpoint(workflow_id)", (box) => {
        threeDone(box);
        expect(box.json("load", "--trail", "run/20251023_093456")["run"]).toMatchObject({
          id: "20251023_093456",
        });
      }),
      shows("checkpoint_exists(workflow_id)", (box) => {
        threeDone(box);
        expect(box.run(["runs", "show", "20251023_093456"]).status).toBe(0);
        expect(box.run(["runs", "show", "nothing"]).status).toBe(3);
      }),
      different(
        "delete_checkpoint (after workflow completes)",
        "a completed run is archived by itself, and the last five archives of a workflow stay to be looked at",
      ),
      shows("list_resumable_workflows: workflow_id, created_at, current_agent, progress", (box) => {
        threeDone(box);
        expect(box.json("runs")["runs"]).toMatchObject([
          {
            id: "20251023_093456",
            completed: 3,
            total: 8,
            percent: 37,
            next: ["test-master"],
            can_resume: true,
          },
        ]);
      }),
      shows("List of all that is resumable, newest first", (box) => {
        box.write("a.yaml", "name: a\nsteps: [{ id: x, run: 'false' }]\n");
        box.write("b.yaml", "name: b\nsteps: [{ id: x, run: 'false' }]\n");
        box.run(["run", "a.yaml", "--run-id", "a-1"]);
        box.run(["run", "b.yaml", "--run-id", "b-1"]);
        const runs = box.json("runs")["runs"] as { id: string }[];
        expect(runs.map(({ id }) => id)).toEqual(["b-1", "a-1"]);
      }),
      shows("validate_checkpoint: artifact missing", (box) => {
        threeDone(box);
        rmSync(join(box.folder, "planner.json"));
        const { stderr, status } = box.run(["resume", "20251023_093456"]);
        expect(status).toBe(6);
        expect(stderr).toContain('"planner.json"');
      }),
      shows("get_resume_plan: completed, remaining, next, progress_percentage, can_resume", (box) => {
        threeDone(box);
        expect(box.json("resume", "20251023_093456", "--dry-run")["plan"]).toMatchObject({
          workflow_id: "pipeline",
          completed: AGENTS.slice(0, 3),
          remaining: AGENTS.slice(3),
          next: "test-master",
          progress_percentage: 37,
          can_resume: true,
        });
      }),
      shows("All eight agents of the pipeline are a template", (box) => {
        const { templates } = box.json("templates") as { templates: { name: string; files: object }[] };
        const text = JSON.stringify(templates.find(({ name }) => name === "eight-agents"));
        for (const agent of AGENTS) expect(text).toContain(agent);
      }),
    ],
    WorkflowResumer: [
      shows("can_resume(workflow_id): a run can be named by the beginning of its id", (box) => {
        threeDone(box);
        expect(box.json("resume", "20251023", "--dry-run")["plan"]).toMatchObject({ can_resume: true });
        box.write("a.yaml", "name: a\nsteps: [{ id: x, run: 'false' }]\n");
        box.run(["run", "a.yaml", "--run-id", "20251024_1"]);
        expect(box.see("runs", "show", "2025")).toContain(
          '"2025" could be 2 runs: 20251024_1, 20251023_093456.',
        );
      }),
      shows("resume_workflow: continues, and nothing is done twice", (box) => {
        threeDone(box);
        done(box, ["resume", "20251023_093456"]);
        expect(ran(box)).toEqual(AGENTS);
      }),
      shows("Workflow Resumed: ID, request, progress, completed, next, checkpoint from", (box) => {
        threeDone(box);
        const { stderr } = box.run(["resume", "20251023_093456"]);
        expect(stderr).toContain("20251023_093456 resumes: 3 of 8 steps done");
        expect(stderr).toContain("    request: Add a login page");
        expect(stderr).toContain("    done: orchestrator, researcher, planner");
        expect(stderr).toContain("    next: test-master");
        expect(stderr).toMatch(/ {4}last activity: (just now|\d+ min ago)/);
      }),
      shows("resume_context for programs", (box) => {
        threeDone(box);
        const [first = ""] = box.run(["resume", "20251023_093456", "--json"]).stdout.split("\n");
        expect(JSON.parse(first)).toMatchObject({
          type: "run-resumed",
          request: "Add a login page",
          done: AGENTS.slice(0, 3),
          next: ["test-master"],
          last_activity: expect.stringMatching(/^2026-01-23T/) as string,
        });
      }),
      shows("Workflow already completed", (box) => {
        threeDone(box);
        done(box, ["resume", "20251023_093456"]);
        expect(box.see("resume", "20251023_093456")).toContain("was completed already");
      }),
    ],
    "checkpoint.json": [
      shows("The seed's own file can be imported", (box) => {
        box.write("manifest.json", "{}");
        box.write("checkpoint.json", JSON.stringify(CHECKPOINT_JSON));
        expect(box.json("import", "checkpoint.json")).toMatchObject({ format: "agent-pipeline" });
      }),
      shows("The seed's own file resumes as a run: artifacts checked, agents that remain run", (box) => {
        imported(box);
        expect(box.json("resume", "20251023_093456", "--dry-run")["plan"]).toMatchObject({
          completed: AGENTS.slice(0, 3),
          remaining: AGENTS.slice(3),
          next: "test-master",
          progress_percentage: 37,
          can_resume: false,
          resume_check: { findings: [{ check: "definition", severity: "blocker" }, { check: "age" }] },
        });
        expect(box.json("artifacts", "20251023_093456", "--verify")["artifacts"]).toMatchObject([
          { path: "artifacts/20251023_093456/manifest.json", size_bytes: MANIFEST.length, state: "intact" },
        ]);
        box.write("pipeline.yaml", PIPELINE);
        done(box, ["resume", "20251023_093456", "--workflow", "pipeline.yaml", "--trust"]);
        expect(ran(box)).toEqual(AGENTS.slice(3));
        expect(box.json("runs", "show", "20251023_093456")["steps"]).toHaveLength(8);
      }),
      shows("An imported artifact that has changed since is noticed", (box) => {
        imported(box);
        box.write("artifacts/20251023_093456/manifest.json", "{ }");
        box.write("pipeline.yaml", PIPELINE);
        const { status, stderr } = box.run([
          "resume",
          "20251023_093456",
          "--workflow",
          "pipeline.yaml",
          "--trust",
        ]);
        expect(status).toBe(6);
        expect(stderr).toContain('"artifacts/20251023_093456/manifest.json"');
        expect(existsSync(join(box.folder, "ran"))).toBe(false);
      }),
      shows("original_request is the request of the manifest, not the workflow's default", (box) => {
        imported(box);
        box.write("pipeline.yaml", PIPELINE);
        expect(box.json("resume", "20251023_093456", "--dry-run")["plan"]).toMatchObject({
          original_request: "Add a logout page",
        });
        const { stderr } = box.run(RESUME);
        expect(stderr).toContain("    request: Add a logout page");
        expect(box.json("runs", "show", "20251023_093456")["run"]).toMatchObject({
          inputs: { request: "Add a logout page" },
        });
      }),
      shows("Cannot load manifest: a file without one is not resumed unless a person says so", (box) => {
        box.write(
          "artifacts/w/checkpoint.json",
          JSON.stringify({ ...CHECKPOINT_JSON, artifacts_created: [] }),
        );
        const { stderr } = box.run(["import", "artifacts/w/checkpoint.json"]);
        expect(stderr).toContain(
          "Cannot load manifest: manifest.json beside the file: there is no such file.",
        );
        box.write("pipeline.yaml", PIPELINE);
        const refused = box.run(RESUME);
        expect(refused.status).toBe(6);
        expect(refused.stderr).toContain("Cannot load manifest");
        done(box, ["resume", "20251023_093456", "--trust", "--accept-changes"]);
        expect(ran(box)).toEqual(AGENTS.slice(3));
      }),
      shows("Missing required field: version, workflow_id, completed_agents, current_agent", (box) => {
        for (const field of ["version", "workflow_id", "current_agent", "completed_agents"]) {
          const { [field]: _, ...others } = CHECKPOINT_JSON as Record<string, unknown>;
          box.write("checkpoint.json", JSON.stringify(others));
          const { status, stderr } = box.run(["import", "checkpoint.json"]);
          expect({ field, status }).toEqual({ field, status: 2 });
          expect(stderr).toContain(`Missing required field: ${field}.`);
        }
        expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
      }),
      shows("Artifact missing: an imported file whose artifact is gone is not resumed", (box) => {
        const files = ["manifest.json", "research.json"];
        box.write("artifacts/w/manifest.json", MANIFEST);
        box.write(
          "artifacts/w/checkpoint.json",
          JSON.stringify({ ...CHECKPOINT_JSON, artifacts_created: files }),
        );
        done(box, ["import", "artifacts/w/checkpoint.json"]);
        box.write("pipeline.yaml", PIPELINE);
        const { status, stderr } = box.run(RESUME);
        expect(status).toBe(6);
        expect(stderr).toContain("artifacts/w/research.json");
      }),
      shows("can_resume is false while no workflow says what the remaining agents run", (box) => {
        imported(box);
        expect(box.json("runs")["runs"]).toMatchObject([{ id: "20251023_093456", can_resume: false }]);
        expect(box.json("resume", "--list")["unfinished"]).toMatchObject([
          { command: "checkpoint resume 20251023_093456 --workflow FILE" },
        ]);
      }),
      shows(
        "remaining_agents are in the pipeline's order: the first that is not completed comes next",
        (box) => {
          const gap = { completed_agents: ["orchestrator", "planner"], current_agent: "implementer" };
          box.write("artifacts/w/manifest.json", MANIFEST);
          box.write("artifacts/w/checkpoint.json", JSON.stringify({ ...CHECKPOINT_JSON, ...gap }));
          done(box, ["import", "artifacts/w/checkpoint.json"]);
          const remaining = AGENTS.filter((agent) => !gap.completed_agents.includes(agent));
          expect(box.json("resume", "20251023_093456", "--dry-run")["plan"]).toMatchObject({
            remaining,
            next: "researcher",
            progress_percentage: 25,
          });
          box.write("pipeline.yaml", PIPELINE);
          // One at a time: the step after the one that is completed already could run beside the first.
          done(box, [...RESUME, "--jobs", "1"]);
          expect(ran(box)).toEqual(remaining);
        },
      ),
      different(
        ".claude/artifacts/<workflow_id>/checkpoint.json",
        "the state of a run is a trail in the store, so that it is written whole or not at all",
      ),
    ],
  },
  { shown: 22, different: 2 },
);
