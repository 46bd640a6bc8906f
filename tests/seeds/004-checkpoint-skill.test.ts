import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { killIn, makeRun } from "../cli/support/runs.ts";
import type { Ran, Sandbox } from "../cli/support/sandbox.ts";
import { hasTmux, Screen } from "../cli/support/screen.ts";
import { until } from "../cli/support/until.ts";
import { different, done, seed, shows } from "./support/promises.ts";

const PHASES = ["REQUIREMENTS", "ARCHITECTURE", "IMPLEMENTATION", "VERIFICATION", "REFLECTION"];

/** The seed's phases, with a question after the architecture. */
const DEVELOP = `name: develop
steps:
${PHASES.map(
  (phase) => `  - id: ${phase.toLowerCase()}
    phase: ${phase}
    run: "test ! -f stop-${phase.toLowerCase()} && echo ${phase} >> ran && echo x > ${phase.toLowerCase()}.json"
    outputs: [${phase.toLowerCase()}.json]
${phase === "ARCHITECTURE" ? "  - id: choose\n    phase: ARCHITECTURE\n    approve: { question: Which design?, options: [small, large] }\n" : ""}`,
).join("")}`;

const ran = (box: Sandbox) => readFileSync(join(box.folder, "ran"), "utf8").trim().split("\n");

function begun(box: Sandbox): void {
  box.write("develop.yaml", DEVELOP);
  expect(box.run(["run", "develop.yaml", "--run-id", "dev-1"]).status).toBe(4);
}

function interrupted(box: Sandbox): void {
  box.write("stop-architecture", "");
  box.write("develop.yaml", DEVELOP);
  expect(box.run(["run", "develop.yaml", "--run-id", "dev-1"]).status).toBe(1);
  rmSync(join(box.folder, "stop-architecture"));
}

const PHASE_JSON = {
  workflow_id: "w-7",
  started_at: "2026-01-20T10:00:00Z",
  last_updated: "2026-01-20T11:00:00Z",
  current_phase: "ARCHITECTURE",
  phase_status: "in_progress",
  completed_phases: [
    { phase: "REQUIREMENTS", completed_at: "2026-01-20T10:30:00Z", output: "memory/reports/demand.json" },
  ],
  user_checkpoints: [{ phase: "REQUIREMENTS", approved_at: "2026-01-20T10:31:00Z" }],
  interruption_safe: true,
};

/** A state of the seed's tool, as its folders are. */
function left(box: Sandbox, phase: object, files: Record<string, unknown> = {}): Ran {
  const all = { "reports/demand.json": {}, "state/phase.json": { ...PHASE_JSON, ...phase }, ...files };
  for (const [name, json] of Object.entries(all))
    box.write(`memory/${name}`, typeof json === "string" ? json : JSON.stringify(json));
  return box.run(["import", "memory/state/phase.json"]);
}

/** The phases that are completed before one, as the seed's tool would have left them. */
const before = (phase: string) => ({
  current_phase: phase,
  completed_phases: PHASES.slice(0, PHASES.indexOf(phase)).map((name) => ({
    phase: name,
    completed_at: "2026-01-20T10:30:00Z",
  })),
});

const planOf = (box: Sandbox) => box.json("resume", "w-7", "--dry-run")["plan"] as Record<string, unknown>;

function phases(box: Sandbox): string[] {
  const steps = PHASES.map((phase) => `  - { id: ${phase}, run: echo ${phase} >> ran }`);
  box.write("phases.yaml", `name: phases\nsteps:\n${steps.join("\n")}\n`);
  return ["resume", "w-7", "--workflow", "phases.yaml", "--trust"];
}

seed(
  "seed 004, Checkpoint & Resume Skill",
  {
    "Checkpoint Files": [
      shows("memory/state/phase.json can be imported", (box) => {
        box.write("memory/reports/demand.json", "{}");
        box.write("memory/state/phase.json", JSON.stringify(PHASE_JSON));
        expect(box.json("import", "memory/state/phase.json")).toMatchObject({ format: "phase" });
      }),
      shows("memory/state/phase.json resumes as a run: the phases that remain run", (box) => {
        box.write("memory/reports/demand.json", "{}");
        box.write("memory/state/phase.json", JSON.stringify(PHASE_JSON));
        done(box, ["import", "memory/state/phase.json"]);
        expect(box.json("artifacts", "w-7", "--verify")["artifacts"]).toMatchObject([
          { path: "memory/reports/demand.json", step: "REQUIREMENTS", state: "intact" },
        ]);
        const steps = PHASES.map((phase) => `  - { id: ${phase}, run: echo ${phase} >> ran }`);
        box.write("phases.yaml", `name: phases\nsteps:\n${steps.join("\n")}\n`);
        done(box, ["resume", "w-7", "--workflow", "phases.yaml", "--trust"]);
        expect(ran(box)).toEqual(PHASES.slice(1));
      }),
      shows("memory/state/execution.json can be imported", (box) => {
        box.write("execution.json", JSON.stringify({ tasks: [{ id: "task-001", status: "running" }] }));
        expect(box.json("import", "execution.json")).toMatchObject({ format: "execution" });
      }),
      different(
        "interruption_safe = false, write .tmp, rename, interruption_safe = true",
        "a commit is one transaction of SQLite: it happens as a whole or not at all, and needs no flag",
      ),
    ],
    "Resume Protocol, for imported files": [
      shows("Validate 1: a referenced output that is missing blocks the resume, and is named", (box) => {
        left(box, {});
        rmSync(join(box.folder, "memory/reports/demand.json"));
        const { stderr } = box.run(["import", "memory/state/phase.json"]);
        expect(stderr).toContain("1 of 1 artifacts are not in the project: memory/reports/demand.json");
        const refused = box.run(phases(box));
        expect(refused.status).toBe(6);
        expect(refused.stderr).toContain("memory/reports/demand.json");
      }),
      shows("Validate 2: times that are in the future or before the start block the resume", (box) => {
        expect(left(box, { last_updated: "2031-01-01T00:00:00Z" }).stderr).toContain(
          "The time 2031-01-01T00:00:00Z in it is in the future.",
        );
        expect(box.run(phases(box))).toMatchObject({ status: 6 });
        expect(left(box, { last_updated: "1999-01-01T00:00:00Z" }).stderr).toContain(
          "The time 1999-01-01T00:00:00Z in it is before its start, 2026-01-20T10:00:00Z.",
        );
        for (const started_at of ["yesterday", "about 5", 12_345, "2026-02-30T10:00:00Z"])
          expect(left(box, { started_at }).status).toBe(2);
      }),
      shows(
        "Validate 3: a progression that is not possible blocks the resume; invented phases are refused",
        (box) => {
          expect(left(box, { ...before("VERIFICATION"), completed_phases: [] }).stderr).toContain(
            "The progression of its phases is not possible: it is in VERIFICATION, and no phase is completed.",
          );
          expect(box.run(phases(box))).toMatchObject({ status: 6 });
          const { status, stderr } = left(box, { current_phase: "DANCING" });
          expect(status).toBe(2);
          expect(stderr).toContain('current_phase is "DANCING"');
        },
      ),
      shows(
        "Validate 4: interruption_safe false: asked before it resumes, and archived if not wanted",
        (box) => {
          expect(left(box, { interruption_safe: false }).stderr).toContain("interruption_safe is false");
          const refused = box.run(phases(box));
          expect(refused.status).toBe(6);
          expect(refused.stderr).toContain("The state appears corrupted");
          expect(refused.stderr).toContain("To start fresh: checkpoint archive w-7");
          done(box, ["resume", "w-7", "--trust", "--accept-changes"]);
          expect(ran(box)).toEqual(PHASES.slice(1));
        },
      ),
      shows("State appears corrupted. Start fresh? [y/N]", async (box, skip) => {
        if (!hasTmux) skip("tmux is not installed");
        left(box, { interruption_safe: false });
        const screen = new Screen(box);
        try {
          screen.run(phases(box).join(" "));
          await screen.see("The state appears corrupted. Start fresh?");
          screen.type("y", "Enter");
          await screen.see("Archived w-7 as");
        } finally {
          screen.close();
        }
      }),
      shows("started_at is shown", (box) => {
        left(box, {});
        expect(box.json("runs", "show", "w-7")["run"]).toMatchObject({
          created_at: "2026-01-20T10:00:00.000Z",
        });
      }),
      shows("REQUIREMENTS: demand.json exists and is valid: advance to ARCHITECTURE", (box) => {
        const at = { ...before("REQUIREMENTS"), user_checkpoints: [] };
        expect(left(box, at).stderr).toContain("REQUIREMENTS is done: memory/reports/demand.json exists.");
        expect(planOf(box)).toMatchObject({ next: "ARCHITECTURE" });
        expect(left(box, at, { "reports/demand.json": "{" }).stderr).toContain(
          "REQUIREMENTS has no valid output yet: it runs again.",
        );
        expect(planOf(box)).toMatchObject({ next: "REQUIREMENTS" });
      }),
      shows("ARCHITECTURE: final_design.json exists: advance to IMPLEMENTATION; no designs: again", (box) => {
        left(box, {});
        expect(planOf(box)).toMatchObject({ next: "ARCHITECTURE" });
        left(box, {}, { "reports/final_design.json": "null" });
        expect(planOf(box)).toMatchObject({ next: "ARCHITECTURE" });
        left(box, {}, { "reports/final_design.json": {} });
        expect(planOf(box)).toMatchObject({ next: "IMPLEMENTATION" });
      }),
      shows("A phase that failed is done again, whatever it left behind", (box) => {
        left(box, { phase_status: "failed" }, { "reports/final_design.json": {} });
        expect(planOf(box)).toMatchObject({ next: "ARCHITECTURE" });
        const tasks = [{ id: "task-001", status: "complete" }];
        const failed = { ...before("IMPLEMENTATION"), phase_status: "failed" };
        left(box, failed, { "state/execution.json": { tasks } });
        expect(planOf(box)).toMatchObject({ next: "IMPLEMENTATION" });
      }),
      shows("IMPLEMENTATION: execution.json is read, and recovered; all done: advance", (box) => {
        const tasks = [
          { id: "task-001", status: "complete" },
          { id: "task-002", status: "running", output: "memory/reports/task-002.json", attempts: 1 },
        ];
        const { stderr } = left(box, before("IMPLEMENTATION"), { "state/execution.json": { tasks } });
        expect(stderr).toContain("Read execution.json too, into workflow/w-7: 1 of 2 tasks left.");
        expect(planOf(box)).toMatchObject({ next: "IMPLEMENTATION" });
        left(box, before("IMPLEMENTATION"), {
          "state/execution.json": { tasks },
          "reports/task-002.json": { status: "complete" },
        });
        expect(planOf(box)).toMatchObject({ next: "VERIFICATION" });
      }),
      shows("VERIFICATION and REFLECTION: their file exists: advance, and complete", (box) => {
        left(box, before("VERIFICATION"));
        expect(planOf(box)).toMatchObject({ next: "VERIFICATION" });
        left(box, before("VERIFICATION"), { "reports/verification.json": {} });
        expect(planOf(box)).toMatchObject({ next: "REFLECTION" });
        const { stderr } = left(box, before("REFLECTION"), { "reports/reflection.json": {} });
        expect(stderr).toContain("All its steps are done.");
      }),
      shows("Paths that are none are missing files", (box) => {
        for (const output of ["a\u0000b", "x".repeat(5000), "memory/reports/demand.json/x"]) {
          const completed_phases = [{ phase: "REQUIREMENTS", completed_at: "2026-01-20T10:30:00Z", output }];
          const { status, stderr } = left(box, { completed_phases });
          expect({ status, stderr }).toMatchObject({
            status: 0,
            stderr: expect.stringContaining("1 of 1 artifacts are not"),
          });
        }
      }),
      shows("Paths that were written on Windows are understood", (box) => {
        const output = "memory\\reports\\demand.json";
        const completed_phases = [{ phase: "REQUIREMENTS", completed_at: "2026-01-20T10:30:00Z", output }];
        left(box, { completed_phases });
        expect(box.json("artifacts", "w-7", "--verify")["artifacts"]).toMatchObject([
          { path: "memory/reports/demand.json", state: "intact" },
        ]);
      }),
    ],
    "Scenarios, for imported files": [
      shows("Scenario 1: a running task without output: pending again, attempts + 1", (box) => {
        box.write("execution.json", tasksOf({ status: "running", attempts: 2, output: "out/1.json" }));
        done(box, ["import", "execution.json"]);
        expect(box.json("load")["tasks"]).toMatchObject([{ id: "task-001", status: "pending", attempts: 3 }]);
      }),
      shows("Scenario 2: a running task whose output exists has the status of its output", (box) => {
        box.write("execution.json", tasksOf({ status: "running", output: "out\\1.json" }));
        for (const [said, status] of [
          ["complete", "completed"],
          ["failed", "blocked"],
        ]) {
          box.write("out/1.json", JSON.stringify({ status: said }));
          done(box, ["import", "execution.json"]);
          expect(box.json("load")["tasks"]).toMatchObject([{ id: "task-001", status }]);
        }
      }),
      shows("A completed task whose output is missing is mentioned", (box) => {
        box.write("execution.json", tasksOf({ status: "complete", output: "out/1.json" }));
        expect(box.run(["import", "execution.json"]).stderr).toContain(
          "1 output of completed tasks missing: out/1.json",
        );
        expect(JSON.stringify(box.json("load")["gotchas"])).toContain("out/1.json");
      }),
      shows("Scenario 3: designs without a final one: asked again, architects are not re-run", (box) => {
        const designs = { "reports/designs/small.json": {}, "reports/designs/large.json": {} };
        expect(left(box, {}, designs).stderr).toContain("ARCHITECTURE waits for a choice of its design.");
        const resume = phases(box);
        const refused = box.run(resume);
        expect(refused.status).toBe(4);
        expect(refused.stderr).toContain("Which design?");
        expect(refused.stderr).toContain("checkpoint approve w-7 --choose large|small");
        expect(box.run(["resume", "w-7"]).status).toBe(4);
        done(box, ["approve", "w-7", "--choose", "small"], resume);
        expect(ran(box)).toEqual(PHASES.slice(2));
      }),
      shows("Scenario 4: started_at is 7 days ago: warned, and offered to archive", (box) => {
        left(box, { started_at: "2026-01-10T10:00:00Z", last_updated: "2026-01-23T11:00:00Z" });
        const { stderr } = box.run(phases(box));
        expect(stderr).toContain("The run was started 13 d");
        expect(stderr).toContain("To start afresh instead: checkpoint archive w-7");
      }),
      shows("Checkpoints: phases, approvals, task changes and starts of an imported run", (box) => {
        left(box, {}, { "reports/designs/small.json": {}, "reports/designs/large.json": {} });
        done(box, ["approve", "w-7", "--choose", "small"]);
        done(box, phases(box));
        const { checkpoints } = box.json("list", "--trail", "run/w-7") as {
          checkpoints: { trigger: string; notes: string }[];
        };
        const triggers = new Set(checkpoints.map(({ trigger }) => trigger));
        for (const trigger of ["approval", "step"]) expect([...triggers]).toContain(trigger);
      }),
    ],
    "Resume Protocol": [
      shows("Step 1: Detect resume scenario", (box) => {
        interrupted(box);
        const { status, stderr } = box.run(["run", "develop.yaml"]);
        expect(status).toBe(6);
        expect(stderr).toContain('Run "dev-1" of this workflow is unfinished');
      }),
      shows("Step 2: Validate: all referenced output files exist", (box) => {
        interrupted(box);
        rmSync(join(box.folder, "requirements.json"));
        expect(box.run(["resume", "dev-1"]).status).toBe(6);
      }),
      shows("Step 2: Validate: timestamps are reasonable (not future, not ancient)", async (box) => {
        staleRun(box, 13);
        expect(box.json("runs", "show", "old-1")["resume_check"]).toMatchObject({
          verdict: "resume with warnings",
          findings: [{ check: "age", remedy: "To start afresh instead: checkpoint archive old-1" }],
        });
      }),
      shows("Step 3: Determine resume point: what exists is kept, what does not is done again", (box) => {
        interrupted(box);
        box.run(["resume", "dev-1"]);
        expect(ran(box)).toEqual(["REQUIREMENTS", "ARCHITECTURE"]);
      }),
      shows('Step 4: Inform: "Resuming workflow", "Last activity", "Completed"', (box) => {
        interrupted(box);
        const { stderr } = box.run(["resume", "dev-1"]);
        expect(stderr).toContain("dev-1 resumes: 1 of 6 steps done");
        expect(stderr).toContain("done: requirements");
        expect(stderr).toContain("last activity: ");
      }),
      shows("Step 4: At an approval: re-confirm with the user before proceeding", (box) => {
        begun(box);
        const { status, stdout } = box.run(["resume", "dev-1"]);
        expect(status).toBe(4);
        expect(stdout).toContain("Which design?");
      }),
    ],
    "Recovery from Specific Scenarios": [
      shows("Scenario 1: Ctrl-C during subagent: reset to pending, attempts + 1, run again", async (box) => {
        box.write("w.yaml", "name: w\nsteps: [{ id: a, run: 'test -f fixed' }]\n");
        box.run(["run", "w.yaml", "--run-id", "w-1"]);
        box.write("fixed", "");
        await killIn(box, "w-1", "a");
        expect(box.json("runs")["runs"]).toMatchObject([{ id: "w-1", status: "interrupted" }]);
        done(box, ["resume", "w-1"]);
        expect(box.json("runs", "show", "w-1")["steps"]).toMatchObject([{ status: "completed", attempt: 3 }]);
      }),
      shows("Scenario 2: crash after write, before state update: the result is adopted", async (box) => {
        const wait = "while test ! -f go; do sleep 0.05; done";
        box.write("w.yaml", `name: w\nsteps: [{ id: a, run: 'echo x >> ran; ${wait}' }]\n`);
        const runner = box.start(["run", "w.yaml", "--run-id", "w-1"]);
        await until("the step runs", () => existsSync(join(box.folder, "ran")));
        runner.child.kill("SIGKILL");
        await runner.ended;
        box.write("go", "");
        const status = () => (box.json("runs", "logs", "w-1")["logs"] as { exit_status: number | null }[])[0];
        await until("it has ended", () => status()?.exit_status === 0);
        done(box, ["resume", "w-1"]);
        expect(ran(box)).toEqual(["x"]);
        expect(box.json("runs", "show", "w-1")["steps"]).toMatchObject([{ attempt: 1, adopted: true }]);
      }),
      shows("Scenario 3: interrupted during user approval: asked again, architects are not re-run", (box) => {
        begun(box);
        done(box, ["approve", "dev-1", "--choose", "small"], ["resume", "dev-1"]);
        expect(ran(box)).toEqual(PHASES);
      }),
      shows("Scenario 4: ancient state: warn, and offer to archive and start fresh", async (box) => {
        staleRun(box, 13);
        const { stderr } = box.run(["resume", "old-1"]);
        expect(stderr).toMatch(/The run last changed (13 d|312 h)/);
        expect(stderr).toContain("checkpoint archive old-1");
      }),
      shows("Scenario 4, on a terminal: asks whether to resume, archive or leave it", async (box, skip) => {
        if (!hasTmux) skip("tmux is not installed");
        staleRun(box, 13);
        const screen = new Screen(box);
        try {
          screen.run("resume old-1");
          await screen.see("Resume it, archive it, or leave it?");
          screen.type("a", "Enter");
          const seen = await screen.see("[exit 0]");
          expect(seen).toContain("it may be out of date");
          expect(seen).toContain("Archived old-1 as");
        } finally {
          screen.close();
        }
        expect(box.json("runs", "--archived")["runs"]).toMatchObject([{ id: "old-1", status: "archived" }]);
      }),
    ],
    "Checkpoint Frequency": [
      shows("After phase completion, user approval, each task status change", (box) => {
        begun(box);
        done(box, ["approve", "dev-1", "--choose", "small"]);
        const { checkpoints } = box.json("list", "--trail", "run/dev-1") as {
          checkpoints: { trigger: string }[];
        };
        expect(new Set(checkpoints.map(({ trigger }) => trigger))).toContain("approval");
        expect(checkpoints.some(({ trigger }) => trigger === "step")).toBe(true);
      }),
      shows("Before spawning expensive agents: a start is committed before it happens", (box) => {
        // The step asks, in a process of its own, what is recorded of it while it runs.
        const look = `${box.realCommandLine()} runs show w-1 --json > seen.json`;
        box.write("w.yaml", `name: w\nsteps:\n  - id: a\n    run: ${JSON.stringify(look)}\n`);
        done(box, ["run", "w.yaml", "--run-id", "w-1"]);
        const { run, steps } = JSON.parse(readFileSync(join(box.folder, "seen.json"), "utf8")) as {
          run: { status: string };
          steps: { id: string; status: string; attempt: number }[];
        };
        expect(run.status).toBe("running");
        expect(steps).toMatchObject([{ id: "a", status: "running", attempt: 1 }]);
      }),
    ],
    "Archiving Old State": [
      shows("When starting fresh: archive the old state", (box) => {
        interrupted(box);
        box.run(["run", "develop.yaml", "--fresh", "--run-id", "dev-2"]);
        expect(box.json("runs", "--archived")["runs"]).toMatchObject([{ id: "dev-1" }]);
        expect(box.json("runs")["runs"]).toMatchObject([{ id: "dev-2" }]);
      }),
      shows("Keep last 5 archives, delete older", async (box) => {
        for (let n = 1; n <= 6; n++)
          await makeRun(box, { name: "w", steps: [{ id: "a", run: () => n }] }, { runId: `w-${n}` });
        const archived = box.json("runs", "--archived")["runs"] as { id: string }[];
        expect(archived.map(({ id }) => id)).toEqual(["w-6", "w-5", "w-4", "w-3", "w-2"]);
      }),
    ],
    Principles: [
      shows('"State appears corrupted. Start fresh?": a damaged run is archived untouched', (box) => {
        interrupted(box);
        const store = join(box.folder, ".cairn/store.sqlite");
        damageNewest(store);
        expect(box.run(["resume", "dev-1"])).toMatchObject({ status: 5 });
        const { stderr } = box.run(["resume", "--list"]);
        expect(stderr).toContain("To put it aside: checkpoint archive dev-1");
        expect(stderr).toContain("To start afresh: checkpoint run FILE");
        const before = objectsOf(store);
        done(box, ["archive", "dev-1"]);
        expect(objectsOf(store)).toEqual(expect.arrayContaining(before));
        expect(box.run(["resume", "--list"]).stderr).not.toContain("dev-1");
      }),
      shows("State on disk, atomic writes: a checkpoint is there after the process that wrote it", (box) => {
        const id = done(box, ["now"]).trim();
        expect(box.json("load")["checkpoint_id"]).toBe(id);
      }),
    ],
  },
  { shown: 39, different: 1 },
);

const tasksOf = (task: object) => JSON.stringify({ tasks: [{ id: "task-001", ...task }] });

/** Zeroes the bytes of the newest checkpoint. */
function damageNewest(store: string): void {
  const db = new DatabaseSync(store);
  const newest = "SELECT object FROM checkpoints ORDER BY sequence DESC LIMIT 1";
  db.exec(`UPDATE objects SET data = zeroblob(length(data)) WHERE id = (${newest})`);
  db.close();
}

/** Every object that is stored, as it is. */
function objectsOf(store: string): unknown[] {
  const db = new DatabaseSync(store, { readOnly: true });
  const rows = db.prepare("SELECT id, hex(data) AS data FROM objects").all();
  db.close();
  return rows;
}

/** A run that waits for an answer since this many days. */
function staleRun(box: Sandbox, days: number): void {
  box.write(
    "old.yaml",
    "name: old\nsteps:\n  - id: ask\n    approve: Go on?\n  - id: then\n    run: 'true'\n",
  );
  box.setMinutes(-days * 24 * 60);
  expect(box.run(["run", "old.yaml", "--run-id", "old-1"]).status).toBe(4);
  box.setMinutes(0);
}
