import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../objects/json.ts";
import { openMemoryStore } from "../../store/sqlite.ts";
import { Cairn } from "../../../work/state/cairn.ts";
import type { Checkpoint } from "../document.ts";
import { flatten, RESERVED_FIELDS, unflatten } from "./flat-document.ts";
import { parseForeignJson } from "./parse-json.ts";
import { proveDocument } from "./prove-document.ts";

const NOW = () => new Date("2026-01-23T12:00:00Z");

async function saved(state: JsonObject): Promise<Checkpoint> {
  const cairn = new Cairn(await openMemoryStore(), NOW);
  const trail = cairn.trail<JsonObject>("main", { initial: {} });
  await trail.commit({ before: true });
  await trail.commit(state, { notes: "why", agent_id: "my-agent", agent_tier: 1, session_id: "s-1" });
  return trail.load();
}

const keys = fc.oneof(
  fc.string(),
  fc.constantFrom(...RESERVED_FIELDS, "__proto__", "tasks", "0", "variables"),
);
const anyState = fc
  .dictionary(keys, fc.jsonValue({ maxDepth: 3 }))
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

describe("a flat document", () => {
  it("puts who, when and why around the fields of the work state", async () => {
    const checkpoint = await saved({ goal: "ship", tasks: [], variables: { custom_key: "custom_value" } });
    const document = flatten(checkpoint, { estimated_tokens: 450 });
    expect(Object.keys(document)).toEqual([
      "checkpoint_id",
      "created_at",
      "trail",
      "session_id",
      "parent_checkpoint_id",
      "parent_hash",
      "restored_from",
      "trigger",
      "notes",
      "agent_id",
      "agent_tier",
      "goal",
      "tasks",
      "variables",
      "content_hash",
      "estimated_tokens",
      "schema_version",
    ]);
    expect(document).toMatchObject({
      checkpoint_id: checkpoint.checkpoint_id,
      notes: "why",
      agent_tier: 1,
      goal: "ship",
    });
  });

  it("puts a state under `state` that has a field of a reserved name", async () => {
    const state = { goal: "ship", notes: "my own notes", trail: ["a", "b"] };
    const document = flatten(await saved(state));
    expect(document.notes).toBe("why");
    expect(document.state).toEqual(state);
    expect(Object.keys(document)).not.toContain("goal");
  });

  it("leaves room for what a command adds, and takes it away again", async () => {
    const state = { schema: "my own", messages: [{ role: "user" }] };
    const document = flatten(await saved(state));
    expect(document.state).toEqual(state);
    const printed = { schema: "cairn/load@1", ...document, messages: ["Trail main is empty."] };
    expect(unflatten(printed).state).toEqual(state);
    expect(unflatten({ schema: "cairn/load@1", goal: "ship", messages: ["x"] }).state).toEqual({
      goal: "ship",
    });
  });

  it("keeps what another tool calls messages", () => {
    const state = { goal: "ship", messages: ["hello"] };
    expect(unflatten({ checkpoint_id: "ckpt-1", ...state }).state).toEqual(state);
  });

  it("gives back every state, key for key, and proves by its hash that nothing was changed", async () => {
    await fc.assert(
      fc.asyncProperty(anyState, async (state) => {
        const checkpoint = await saved(state);
        const { state: back, ...info } = checkpoint;
        const text = JSON.stringify(flatten(checkpoint, { estimated_tokens: 7 }), null, 2);
        const parsed = unflatten(parseForeignJson(text, "x.json") as JsonObject);
        expect(JSON.stringify(parsed.state)).toBe(JSON.stringify(back));
        expect(parsed.info).toEqual(info);
        expect(proveDocument(parsed)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("notices any change to what it says, and names the way out", async () => {
    const document = flatten(await saved({ goal: "ship", variables: {} }));
    const changes: JsonObject[] = [
      { goal: "sink" },
      { notes: null },
      { trail: "other" },
      { created_at: "2026-01-23T12:00:01.000Z" },
      { agent_tier: 4 },
      { parent_hash: null },
      { added: 1 },
    ];
    for (const change of changes) {
      expect(() => proveDocument(unflatten({ ...document, ...change }), "x.json")).toThrow(
        expect.objectContaining({ code: "corrupt", hint: expect.stringContaining("content_hash") as string }),
      );
    }
    const { content_hash, ...edited } = { ...document, goal: "sink" } as JsonObject;
    expect(content_hash).toBeDefined();
    expect(proveDocument(unflatten(edited))).toBe(false);
  });

  it("does not take a stranger's hash for one of ours", () => {
    expect(proveDocument(unflatten({ checkpoint_id: "ckpt-1", content_hash: "abc123...", goal: "x" }))).toBe(
      false,
    );
  });

  it.each<[JsonObject, string, string]>([
    [{ notes: 5 }, "usage", 'The field "notes" of "x.json" is not a string.'],
    [{ agent_tier: 1.5 }, "usage", 'The field "agent_tier" of "x.json" is not a whole number.'],
    [{ state: [] }, "usage", 'The field "state" of "x.json" is not an object.'],
    [{ state: {}, goal: "x" }, "usage", '"x.json" has a field "state" and also "goal" beside it.'],
    [{ schema_version: 99 }, "refused", '"x.json" was written by a newer version of Cairn (schema 99).'],
  ])("refuses %j in words", (document, code, message) => {
    expect(() => unflatten(document, "x.json")).toThrow(expect.objectContaining({ code, message }));
  });
});
