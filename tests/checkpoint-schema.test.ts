import { Ajv2020 } from "ajv/dist/2020.js";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { JsonObject } from "../src/core/objects/json.ts";
import { autoCheckpoints } from "../src/work/state/auto.ts";
import { openCairn, type Cairn } from "../src/work/state/cairn.ts";
import { flatten, RESERVED_FIELDS } from "../src/core/trails/transfer/flat-document.ts";
import { mergeImport } from "../src/work/import/merge-import.ts";
import { readImport } from "../src/work/import/read-import.ts";
import { emptyWorkState } from "../src/work/state/work-state.ts";
import { CHECKPOINT_SCHEMA } from "../scripts/schemas/checkpoint-schema.ts";

const NOW = new Date("2026-01-23T12:00:00.000Z");

let folder: string;
let cairn: Cairn;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cairn-schema-"));
  cairn = await openCairn({ path: folder, now: () => NOW });
});

afterEach(async () => {
  await cairn.close();
  rmSync(folder, { recursive: true });
});

describe("the JSON Schema of a checkpoint", () => {
  it("describes what real trails print, from the first checkpoint on", async () => {
    const trail = cairn.trail("main");
    await trail.commit((state) => {
      state.goal = "ship";
      state.constraints.push({ text: "no new dependencies", at: NOW.toISOString(), by: "person" });
      state.decisions.push({ what: "SQLite", why: "built in" });
      state.phase = {
        name: "Build",
        number: 2,
        status: "in_progress",
        started_at: NOW.toISOString(),
        notes: null,
      };
      state.tasks.push({
        id: "1",
        subject: "Write it",
        status: "in_progress",
        owner: null,
        blocks: [],
        blocked_by: [],
      });
      state.dependencies.push({
        name: "vault",
        type: "service",
        status: "available",
        endpoint: null,
        last_checked: null,
        latency_ms: 3,
      });
      state.commands.push({ argv: ["npm", "test"], ok: true, at: NOW.toISOString() });
      state.workspace = { head: null, branch: "main", dirty: true };
    });
    const auto = autoCheckpoints(trail);
    await auto.taskCompleted("1", { ok: true });
    await auto.phaseCompleted(2);
    await auto.failed(new Error("x"));
    await trail.undo();
    await trail.fork("fork");
    for (const { content_hash } of [...(await trail.history()), ...(await cairn.trail("fork").history())]) {
      const document = flatten(await trail.load(content_hash), { estimated_tokens: 450 });
      expect(faults(document)).toEqual([]);
    }
  });

  it("describes what was imported from elsewhere", async () => {
    const trail = cairn.trail("main");
    const texts = {
      "checkpoint.json": {
        version: "2.0",
        workflow_id: "w",
        completed_agents: ["a"],
        current_agent: "b",
        artifacts_created: ["x.json"],
        metadata: { error: "e" },
      },
      "phase.json": {
        current_phase: "VERIFICATION",
        phase_status: "complete",
        completed_phases: [{ phase: "REQUIREMENTS", output: "y" }],
        user_checkpoints: [{ phase: "REQUIREMENTS" }],
      },
      "execution.json": { tasks: { t1: { status: "failed" } } },
      "ckpt.json": {
        checkpoint_id: "ckpt-1",
        constraints: ["be kind"],
        decisions: ["go"],
        tasks: [{ id: 1 }],
      },
    };
    for (const [source, json] of Object.entries(texts)) {
      const imported = readImport(JSON.stringify(json), { source, now: NOW });
      await trail.commit((state) => mergeImport(state, imported));
      expect(faults(flatten(await trail.load()))).toEqual([]);
    }
  });

  it("describes a state that stands under `state`", async () => {
    const trail = cairn.trail<JsonObject>("other", { initial: {} });
    await trail.commit({ notes: ["mine"], trail: 1 });
    const document = flatten(await trail.load());
    expect(faults(document)).toEqual([]);
    expect(faults({ ...document, goal: "x" })).toEqual(["goal must be equal to one of the allowed values"]);
  });

  it("knows every field that there is", () => {
    // What a command adds to the document is described where the command's own documents are.
    const known = ["schema", "messages", ...Object.keys(CHECKPOINT_SCHEMA.properties as object)];
    expect(known).toEqual(expect.arrayContaining([...RESERVED_FIELDS, ...Object.keys(emptyWorkState())]));
  });

  it("finds what is wrong with others", async () => {
    const trail = cairn.trail("main");
    await trail.commit((state) => void (state.goal = "ship"));
    const document = flatten(await trail.load());
    const wrong = (change: JsonObject) => faults({ ...document, ...change });
    expect(wrong({ checkpoint_id: "ckpt-1" })).toEqual([
      '/checkpoint_id must match pattern "^ckpt-[0-9]{8}-[0-9]{6}-[0-9a-f]{8,64}$"',
    ]);
    expect(wrong({ agent_tier: 1.5 })).toEqual(["/agent_tier must be integer,null"]);
    expect(wrong({ schema_version: 2 })).toEqual(["/schema_version must be equal to constant"]);
    expect(wrong({ tasks: [{ id: "1" }] })).toContain("/tasks/0 must have required property 'subject'");
    expect(
      wrong({ phase: { name: "x", number: null, status: "nearly", started_at: null, notes: null } }),
    ).toEqual(["/phase/status must be equal to one of the allowed values"]);
    const { content_hash: _, ...without } = document;
    expect(faults(without)).toEqual([" must have required property 'content_hash'"]);
  });
});

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
ajv.addFormat("date-time", { validate: (text: string) => !Number.isNaN(Date.parse(text)) });
const validate = ajv.compile(CHECKPOINT_SCHEMA);

/** What is wrong where. Of a name that must not be there, the name: ajv's own message does not have it. */
function faults(document: unknown): string[] {
  if (validate(document)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== "propertyNames")
    .map(({ instancePath, propertyName, message }) => `${propertyName ?? instancePath} ${message}`);
}
