import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { JsonObject } from "../../objects/json.ts";
import { autoCheckpoints } from "../auto.ts";
import { openCairn, type Cairn } from "../cairn.ts";
import { flatten, RESERVED_FIELDS } from "../transfer/flat-document.ts";
import { importDocument } from "../transfer/import-document.ts";
import { emptyWorkState } from "../work-state.ts";
import { CHECKPOINT_SCHEMA } from "./checkpoint-schema.ts";
import type { JsonSchema } from "./work-state-schema.ts";

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
      expect(faults(CHECKPOINT_SCHEMA, document)).toEqual([]);
    }
  });

  it("describes what was imported from elsewhere", async () => {
    const trail = cairn.trail("main");
    const texts = {
      "checkpoint.json": {
        workflow_id: "w",
        completed_agents: ["a"],
        current_agent: "b",
        artifacts_created: ["x.json"],
        metadata: { error: "e" },
      },
      "phase.json": {
        current_phase: "VERIFICATION",
        phase_status: "complete",
        completed_phases: [{ phase: "X", output: "y" }],
        user_checkpoints: [{ phase: "X" }],
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
      await importDocument(trail, JSON.stringify(json), { source, now: NOW });
      expect(faults(CHECKPOINT_SCHEMA, flatten(await trail.load()))).toEqual([]);
    }
  });

  it("describes a state that stands under `state`", async () => {
    const trail = cairn.trail<JsonObject>("other", { initial: {} });
    await trail.commit({ notes: ["mine"], trail: 1 });
    const document = flatten(await trail.load());
    expect(faults(CHECKPOINT_SCHEMA, document)).toEqual([]);
    expect(faults(CHECKPOINT_SCHEMA, { ...document, goal: "x" })).toEqual([
      "goal: not one of the allowed values",
    ]);
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
    const wrong = (change: JsonObject) => faults(CHECKPOINT_SCHEMA, { ...document, ...change });
    expect(wrong({ checkpoint_id: "ckpt-1" })).toEqual([
      "checkpoint_id: does not match ^ckpt-[0-9]{8}-[0-9]{6}-[0-9a-f]{8,64}$",
    ]);
    expect(wrong({ agent_tier: 1.5 })).toEqual(["agent_tier: not integer or null"]);
    expect(wrong({ schema_version: 2 })).toEqual(["schema_version: not 1"]);
    expect(wrong({ tasks: [{ id: "1" }] })).toContain("tasks.0: lacks subject");
    expect(
      wrong({ phase: { name: "x", number: null, status: "nearly", started_at: null, notes: null } }),
    ).toEqual(["phase.status: not one of the allowed values"]);
    const { content_hash: _, ...without } = document;
    expect(faults(CHECKPOINT_SCHEMA, without)).toEqual([": lacks content_hash"]);
  });
});

/** A validator for the keywords that our schemas use, and no others: one it does not know is an error. */
function faults(schema: JsonSchema, value: unknown, path = "", root = schema): string[] {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`This validator does not know "${keyword}".`);
    return check({ rule, value, path, root });
  });
}

interface Check {
  readonly rule: unknown;
  readonly value: unknown;
  readonly path: string;
  readonly root: JsonSchema;
}

const at = (path: string, step: string | number) => (path === "" ? String(step) : `${path}.${step}`);
const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const nothing = () => [];

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

const KEYWORDS: Record<string, (check: Check) => string[]> = {
  $schema: nothing,
  $id: nothing,
  $defs: nothing,
  title: nothing,
  type: ({ rule, value, path }) => {
    const types = [rule].flat() as string[];
    return types.some((type) => TYPES[type]?.(value)) ? [] : [`${path}: not ${types.join(" or ")}`];
  },
  properties: ({ rule, value, path, root }) =>
    !isObject(value)
      ? []
      : Object.entries(rule as Record<string, JsonSchema>).flatMap(([key, schema]) =>
          Object.hasOwn(value, key) ? faults(schema, value[key], at(path, key), root) : [],
        ),
  required: ({ rule, value, path }) =>
    (rule as string[])
      .filter((key) => isObject(value) && !Object.hasOwn(value, key))
      .map((key) => `${path}: lacks ${key}`),
  items: ({ rule, value, path, root }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => faults(rule as JsonSchema, item, at(path, index), root))
      : [],
  enum: ({ rule, value, path }) =>
    (rule as unknown[]).includes(value) ? [] : [`${path}: not one of the allowed values`],
  const: ({ rule, value, path }) => (value === rule ? [] : [`${path}: not ${String(rule)}`]),
  pattern: ({ rule, value, path }) =>
    typeof value !== "string" || new RegExp(rule as string, "u").test(value)
      ? []
      : [`${path}: does not match ${String(rule)}`],
  format: ({ value, path }) => (Number.isNaN(Date.parse(String(value))) ? [`${path}: no date`] : []),
  minimum: ({ rule, value, path }) => (Number(value) >= Number(rule) ? [] : [`${path}: too small`]),
  minLength: ({ rule, value, path }) => (String(value).length >= Number(rule) ? [] : [`${path}: too short`]),
  maxLength: ({ rule, value, path }) => (String(value).length <= Number(rule) ? [] : [`${path}: too long`]),
  $ref: ({ rule, value, path, root }) => {
    const name = (rule as string).replace("#/$defs/", "");
    return faults((root.$defs as Record<string, JsonSchema>)[name] as JsonSchema, value, path, root);
  },
  propertyNames: ({ rule, value, path, root }) =>
    Object.keys(value as object).flatMap((key) => faults(rule as JsonSchema, key, at(path, key), root)),
  dependentSchemas: ({ rule, value, path, root }) =>
    Object.entries(rule as Record<string, JsonSchema>).flatMap(([key, schema]) =>
      isObject(value) && Object.hasOwn(value, key) ? faults(schema, value, path, root) : [],
    ),
};
