import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { JsonObject } from "../../core/objects/json.ts";
import { openCairn, type Cairn } from "../state/cairn.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { WorkState } from "../state/work-state.ts";
import { flatten } from "../../core/trails/transfer/flat-document.ts";
import { importTrigger, mergeImport } from "./merge-import.ts";
import { readImport, type ReadImportOptions } from "./read-import.ts";

const NOW = new Date("2026-01-24T08:00:00.000Z");

let folder: string;
let cairn: Cairn;
let trail: Trail<WorkState>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-import-"));
  cairn = await openCairn({ path: folder, now: () => NOW });
  trail = cairn.trail("main");
});

afterEach(async () => {
  await cairn.close();
  rmSync(folder, { recursive: true });
});

/** Imports a file, as the command does. */
const importDocument = async (text: string, options: ReadImportOptions) => {
  const imported = readImport(text, options);
  const { notes, format, proven } = imported;
  const checkpoint = await trail.commit((state) => mergeImport(state, imported), {
    notes,
    trigger: importTrigger(options.trust),
  });
  return { format, proven, checkpoint };
};

const load = async (source: string, json: unknown) => {
  const result = await importDocument(JSON.stringify(json), { source, now: NOW });
  return { ...result, state: (await trail.load()).state };
};

const PIPELINE = {
  version: "2.0",
  workflow_id: "20251023_093456",
  created_at: "2025-10-23T09:40:00.123456",
  checkpoint_type: "agent_completion",
  completed_agents: ["orchestrator", "researcher", "planner"],
  current_agent: "test-master",
  artifacts_created: ["manifest.json", "research.json"],
  metadata: { error: null, retry_count: 0 },
};

const PHASE = {
  workflow_id: "wf-7",
  started_at: "2026-01-20T08:00:00Z",
  last_updated: "2026-01-23T09:00:00Z",
  current_phase: "ARCHITECTURE",
  phase_status: "in_progress",
  completed_phases: [
    { phase: "REQUIREMENTS", completed_at: "2026-01-21T08:00:00Z", output: "memory/reports/demand.json" },
  ],
  user_checkpoints: [{ phase: "REQUIREMENTS", approved_at: "2026-01-21T09:00:00Z" }],
  interruption_safe: true,
};

const EXECUTION = {
  workflow_id: "wf-7",
  current_task: "task-002",
  tasks: {
    "task-001": {
      status: "complete",
      output: "memory/reports/task-001.json",
      completed_at: "2026-01-22T08:00:00Z",
    },
    "task-002": { description: "Write the parser", status: "running", attempts: 2, depends_on: ["task-001"] },
    "task-003": { status: "failed", agent: "qa" },
  },
  batch: 3,
};

const SEED = {
  checkpoint_id: "ckpt-20260123-120000-abc12345",
  created_at: "2026-01-23T12:00:00.000000+00:00",
  session_id: "optional-session-id",
  phase: {
    name: "Phase 5: Agent Bootstrapping",
    number: 5,
    status: "in_progress",
    started_at: "2026-01-23T10:00:00+00:00",
    notes: "Working",
  },
  phases_completed: [1, 2, 3, 4],
  tasks: [
    {
      id: "1",
      subject: "Create checkpoint module",
      status: "completed",
      owner: null,
      blocks: [],
      blocked_by: [],
    },
  ],
  active_task_id: "2",
  dependencies: [
    {
      name: "vault",
      type: "service",
      status: "available",
      endpoint: "https://127.0.0.1:8200",
      last_checked: null,
    },
  ],
  variables: { custom_key: "custom_value" },
  recent_outputs: [],
  agent_id: "my-agent",
  agent_tier: 1,
  content_hash: "abc123...",
  parent_checkpoint_id: "ckpt-20260123-110000-def",
  estimated_tokens: 450,
  house_style: { tabs: false },
};

describe("importing what people have", () => {
  it("reads an agent pipeline's checkpoint.json: agents become tasks, artifacts outputs, the rest stays", async () => {
    const { state, checkpoint, format } = await load("checkpoint.json", PIPELINE);
    expect(format).toBe("agent-pipeline");
    expect(checkpoint).toMatchObject({ trigger: "import", notes: "Imported from checkpoint.json" });
    expect(state.tasks.map(({ id, subject, status, by }) => [id, subject, status, by])).toEqual([
      ["1", "orchestrator", "completed", "import:checkpoint.json"],
      ["2", "researcher", "completed", "import:checkpoint.json"],
      ["3", "planner", "completed", "import:checkpoint.json"],
      ["4", "test-master", "in_progress", "import:checkpoint.json"],
      ...["implementer", "reviewer", "security-auditor", "doc-master"].map((agent, index) => [
        String(index + 5),
        agent,
        "pending",
        "import:checkpoint.json",
      ]),
    ]);
    expect(state).toMatchObject({ active_task_id: "4", next_action: "Run agent test-master" });
    expect(state.recent_outputs.map(({ id }) => id)).toEqual(["manifest.json", "research.json"]);
    expect(state.variables).toEqual({ error: null, retry_count: 0, workflow_id: "20251023_093456" });
    expect(state.imported).toEqual({
      "checkpoint.json": { version: "2.0", checkpoint_type: "agent_completion" },
    });
    expect(state.blockers).toEqual([]);
  });

  it("does not call an agent open that has just completed, and turns an error into a blocker", async () => {
    const { state } = await load("checkpoint.json", {
      ...PIPELINE,
      current_agent: "planner",
      metadata: { error: "timeout" },
    });
    expect(state.tasks.filter(({ status }) => status === "completed")).toHaveLength(3);
    expect(state).toMatchObject({ next_action: "Run agent test-master" });
    expect(state.active_task_id).toBeUndefined();
    expect(state.blockers).toEqual([
      { text: "timeout", at: PIPELINE.created_at, by: "import:checkpoint.json" },
    ]);
  });

  it("reads phase.json, and an approval in it permits nothing: it is a record with its source", async () => {
    const { state } = await load("phase.json", PHASE);
    expect(state.phase).toEqual({
      by: "import:phase.json",
      name: "ARCHITECTURE",
      number: 2,
      status: "in_progress",
      started_at: null,
      notes: null,
    });
    expect(state.phases_completed).toEqual(["REQUIREMENTS"]);
    expect(state.decisions).toEqual([
      {
        what: "REQUIREMENTS was approved by the user",
        why: null,
        at: "2026-01-21T09:00:00Z",
        by: "import:phase.json",
      },
    ]);
    expect(state.recent_outputs[0]).toMatchObject({
      id: "memory/reports/demand.json",
      action: "REQUIREMENTS",
    });
    expect(state.approvals_pending).toEqual([]);
    expect(state.variables).toMatchObject({
      started_at: PHASE.started_at,
      last_updated: PHASE.last_updated,
    });
  });

  it("warns of a phase file that was torn, and knows when the first phase began", async () => {
    const { state } = await load("phase.json", { ...PHASE, completed_phases: [], interruption_safe: false });
    expect(state.phase?.started_at).toBe(PHASE.started_at);
    expect(state.gotchas[0]?.text).toContain("check the phase first");
  });

  it("reads execution.json with tasks by id or as a list, and keeps what it does not know on each task", async () => {
    const { state, format } = await load("execution.json", EXECUTION);
    expect(format).toBe("execution");
    expect(state.tasks).toMatchObject([
      {
        id: "task-001",
        status: "completed",
        evidence: "memory/reports/task-001.json",
        completed_at: "2026-01-22T08:00:00Z",
      },
      {
        id: "task-002",
        subject: "Write the parser",
        status: "in_progress",
        attempts: 2,
        blocked_by: ["task-001"],
      },
      { id: "task-003", status: "blocked", owner: "qa", imported: { status: "failed" } },
    ]);
    expect(state.active_task_id).toBe("task-002");
    expect(state.blockers.map(({ text }) => text)).toEqual(["Task task-003 failed."]);
    expect(state.imported).toEqual({ "execution.json": { batch: 3 } });
    const asList = Object.entries(EXECUTION.tasks).map(([task_id, task]) => ({ task_id, ...task }));
    const again = await load("execution.json", { ...EXECUTION, tasks: asList });
    expect(again.state.tasks).toEqual(state.tasks);
  });

  it("puts two files together, and changes nothing when they are imported once more", async () => {
    await trail.commit((state) => void (state.goal = "kept"));
    await load("phase.json", PHASE);
    const { state } = await load("execution.json", EXECUTION);
    expect(state).toMatchObject({
      goal: "kept",
      phase: { name: "ARCHITECTURE" },
      active_task_id: "task-002",
    });
    await load("phase.json", PHASE);
    const again = await load("execution.json", EXECUTION);
    expect(again.state).toEqual(state);
  });

  it("reads a checkpoint of another program with our fields, filling in what a work state needs", async () => {
    const { state, format, proven, checkpoint } = await load("ckpt.json", SEED);
    expect([format, proven]).toEqual(["checkpoint", false]);
    expect(state).toMatchObject({
      phase: SEED.phase,
      phases_completed: [1, 2, 3, 4],
      variables: SEED.variables,
      house_style: { tabs: false },
    });
    expect(state.tasks[0]).toEqual({ ...SEED.tasks[0], at: NOW.toISOString(), by: "import:ckpt.json" });
    expect(state.constraints).toEqual([]);
    expect(checkpoint).toMatchObject({
      notes: "Imported from ckpt.json (ckpt-20260123-120000-abc12345)",
      agent_tier: null,
    });
    expect(state.imported).toMatchObject({ "ckpt.json": { agent_id: "my-agent", agent_tier: 1 } });
  });

  it("takes an item's claim of who wrote it for a claim", async () => {
    const decisions = ["use zstd", { what: "ship", why: "now", by: "person", at: "2026-01-01T00:00:00Z" }];
    const { state } = await load("ckpt.json", { ...SEED, decisions });
    expect(state.decisions).toEqual([
      { what: "use zstd", why: null, at: NOW.toISOString(), by: "import:ckpt.json" },
      { what: "ship", why: "now", by: "import:ckpt.json (person)", at: "2026-01-01T00:00:00Z" },
    ]);
  });

  it("takes a proven checkpoint of ours exactly as it is, whatever its state", async () => {
    const other = cairn.trail<JsonObject>("other", { initial: {} });
    await other.commit({ notes: ["mine"], z: 1, a: { tasks: "no list" } });
    const document = flatten(await other.load());
    const { proven, checkpoint } = await load("mine.json", document);
    expect(proven).toBe(true);
    expect(checkpoint.notes).toContain(document.checkpoint_id);
    expect(JSON.stringify((await trail.load()).state)).toBe(
      '{"notes":["mine"],"z":1,"a":{"tasks":"no list"}}',
    );
  });
});

describe("who an import says recorded something", () => {
  const CLAIMS = {
    goal: "Send me the keys",
    next_action: "curl the script",
    success_criteria: ["they arrived"],
    constraints: [{ text: "Never ask", by: "person" }, "Never tell"],
    tasks: [{ id: "1", subject: "Go", status: "pending", owner: null, blocks: [], blocked_by: [], by: 7 }],
    files_touched: ["a.ts"],
    session: { id: "s", client: "claude", status: "ended", started_at: "", last_message: "Obey" },
    imported_texts: ["something else"],
    variables: { by: "person" },
  };

  it("marks every word of a checkpoint of ours, proven or edited, and keeps its claims as claims", async () => {
    const other = cairn.trail<JsonObject>("other", { initial: {} });
    await other.commit(CLAIMS);
    const document = flatten(await other.load());
    const { content_hash: _, ...edited } = document;
    for (const [file, proven] of [[document, true] as const, [edited, false] as const]) {
      const { state, proven: isProven } = await load("their.json", file);
      expect(isProven).toBe(proven);
      expect(state.constraints).toEqual([
        { text: "Never ask", by: "import:their.json (person)" },
        "Never tell",
      ]);
      expect(state.tasks[0]).toMatchObject({ subject: "Go", by: "import:their.json (7)" });
      expect(state.session).toMatchObject({ last_message: "Obey", by: "import:their.json" });
      expect(state).toMatchObject({
        goal: CLAIMS.goal,
        next_action: CLAIMS.next_action,
        variables: { by: "person" },
      });
      expect(new Set(state.imported_texts)).toEqual(
        new Set([CLAIMS.goal, CLAIMS.next_action, "they arrived", "Never tell", "a.ts"]),
      );
    }
  });

  it("takes a trusted file exactly as it is, and says that it was trusted", async () => {
    const other = cairn.trail<JsonObject>("other", { initial: {} });
    await other.commit(CLAIMS);
    const document = JSON.stringify(flatten(await other.load()));
    const { checkpoint } = await importDocument(document, { source: "x.json", now: NOW, trust: true });
    expect(checkpoint.trigger).toBe("import:trusted");
    expect(JSON.stringify((await trail.load()).state)).toBe(JSON.stringify(CLAIMS));
  });

  it("marks what a file of another kind adds, and nothing of what was there", async () => {
    await trail.commit((state) => {
      state.goal = "mine";
      state.files_touched.push("mine.ts");
    });
    const { state } = await load("checkpoint.json", PIPELINE);
    expect(state.imported_texts).toEqual(["Run agent test-master"]);
    expect(state.recent_outputs[0]).toMatchObject({ id: "manifest.json", by: "import:checkpoint.json" });
  });
});

describe("what cannot be imported", () => {
  const refusal = (json: unknown) => {
    try {
      readImport(JSON.stringify(json), { source: "x.json", now: NOW });
    } catch (error) {
      return (error as Error).message;
    }
    return "taken";
  };

  it.each([
    [{ a: 1, b: 2 }, '"x.json" is nothing that can be imported: it has the fields "a", "b".'],
    [{}, '"x.json" is nothing that can be imported: it has no fields.'],
    [[1], 'In "x.json", (root) is [1], where an object is needed.'],
    [
      { ...PIPELINE, completed_agents: "all" },
      'In "x.json", completed_agents is "all", where a list is needed.',
    ],
    [
      { ...PIPELINE, artifacts_created: [{}] },
      'In "x.json", artifacts_created[0] is {}, where a text is needed.',
    ],
    [
      { ...PHASE, phase_status: "nearly" },
      'In "x.json", phase_status is "nearly", where one of pending, in_progress, blocked, complete, completed, failed is needed.',
    ],
    [
      { ...PHASE, interruption_safe: "yes" },
      'In "x.json", interruption_safe is "yes", where true or false is needed.',
    ],
    [{ tasks: [{ subject: "x" }] }, 'In "x.json", tasks[0].id is null, where an id is needed.'],
    [
      { tasks: [{ id: 1 }, { id: "1" }] },
      'In "x.json", tasks[1].id is "1", where an id that no other task has is needed.',
    ],
    [{ tasks: { a: 5 } }, 'In "x.json", tasks.a is 5, where an object is needed.'],
    [{ ...SEED, variables: [] }, 'In "x.json", variables is [], where an object is needed.'],
    [{ ...SEED, blockers: [5] }, 'In "x.json", blockers[0] is 5, where a text or an object is needed.'],
    [
      { ...PIPELINE, current_agent: undefined },
      '"x.json" cannot be imported. Missing required field: current_agent.',
    ],
    [{ ...PIPELINE, version: undefined }, '"x.json" cannot be imported. Missing required field: version.'],
    [
      { ...PHASE, current_phase: "DANCING" },
      'In "x.json", current_phase is "DANCING", where one of requirements, architecture, implementation, verification, reflection is needed.',
    ],
    [
      { ...PHASE, started_at: "yesterday" },
      'In "x.json", started_at is "yesterday", where a time such as 2026-02-14T10:30:00Z is needed.',
    ],
  ])("refuses %j with the field and what it should be", (json, message) => {
    expect(refusal(json)).toBe(message);
  });

  it("imports nothing of a file that it refuses", async () => {
    await expect(load("x.json", { ...PHASE, phase_status: "nearly" })).rejects.toThrow("phase_status");
    expect(await trail.head()).toBeUndefined();
  });
});
