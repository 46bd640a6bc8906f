import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { autoCheckpoints, type AutoCheckpoints } from "./auto.ts";
import { openCairn, type Cairn } from "./cairn.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { Task, WorkState } from "./work-state.ts";

let folder: string;
let cairn: Cairn;
let trail: Trail<WorkState>;
let auto: AutoCheckpoints;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-auto-"));
  cairn = await openCairn({ path: folder });
  trail = cairn.trail("main");
  auto = autoCheckpoints(trail);
});

afterEach(async () => {
  await cairn.close();
  rmSync(folder, { recursive: true });
});

const task = (id: string, status: Task["status"], blocked_by: string[] = []): Task => ({
  id,
  subject: `Task ${id}`,
  status,
  owner: null,
  blocks: [],
  blocked_by,
});

describe("auto-checkpoints", () => {
  it("closes the running phase when it ends, and lists it once", async () => {
    await trail.commit((state) => {
      state.phases_completed.push(1, 2, 3, 4);
      state.phase = {
        name: "Agent Bootstrapping",
        number: 5,
        status: "in_progress",
        started_at: null,
        notes: null,
      };
    });
    const saved = await auto.phaseCompleted(5);
    await auto.phaseCompleted("Agent Bootstrapping");
    const { state } = await trail.load();
    expect(saved).toMatchObject({ trigger: "phase", notes: "Phase 5 complete" });
    expect(state.phase?.status).toBe("completed");
    expect(state.phases_completed).toEqual([1, 2, 3, 4, 5]);
    expect(state.variables).toEqual({ completed_phase: 5 });
  });

  it("records a phase that nobody started, and leaves the running one alone", async () => {
    await trail.commit((state) => {
      state.phase = { name: "Build", number: null, status: "in_progress", started_at: null, notes: null };
    });
    const saved = await auto.phaseCompleted("Design");
    const { state } = await trail.load();
    expect(saved.notes).toBe('Phase "Design" complete');
    expect(state.phase?.status).toBe("in_progress");
    expect(state.phases_completed).toEqual(["Design"]);
  });

  it("completes a task, frees what waited only for it, and keeps the result", async () => {
    await trail.commit((state) => {
      state.tasks = [
        task("1", "completed"),
        task("2", "in_progress"),
        task("3", "blocked", ["1", "2"]),
        task("4", "blocked", ["2", "5"]),
        task("5", "pending"),
        task("6", "blocked"),
      ];
      state.active_task_id = "2";
    });
    const saved = await auto.taskCompleted("2", { tests: "68/68" });
    const { state } = await trail.load();
    expect(saved.trigger).toBe("task");
    expect(state.tasks.map(({ status }) => status)).toEqual([
      "completed",
      "completed",
      "pending",
      "blocked",
      "pending",
      "blocked",
    ]);
    expect(state.active_task_id).toBeUndefined();
    expect(state.variables).toEqual({ last_task: "2", result: { tests: "68/68" } });
  });

  it("saves a checkpoint for a task that the work state does not know, and forgets the result before", async () => {
    await auto.taskCompleted("1", "old");
    await auto.taskCompleted("elsewhere");
    expect((await trail.load()).state.variables).toEqual({ last_task: "elsewhere", result: null });
  });

  it("saves what went wrong, beside the state it went wrong in", async () => {
    await trail.commit((state) => void (state.goal = "ship"));
    const saved = await auto.failed(new TypeError("x is not a function"));
    expect(saved).toMatchObject({ trigger: "error", notes: "Error: TypeError" });
    const { state } = await trail.load();
    expect(state.goal).toBe("ship");
    expect(state.variables).toEqual({ error_type: "TypeError", error_msg: "x is not a function" });
  });

  it("takes whatever was thrown, and not more of it than is useful", async () => {
    await auto.failed("out of memory ".repeat(1000));
    const { variables } = (await trail.load()).state;
    expect(variables.error_type).toBe("string");
    expect(variables.error_msg).toHaveLength(2000);
    await auto.failed(Object.create(null));
    expect((await trail.load()).state.variables.error_msg).toContain("Object");
  });
});
