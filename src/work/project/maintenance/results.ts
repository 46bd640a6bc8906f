import * as json from "../../verbs/json-schema.ts";

const info = json.ref("checkpoint_info");

/** What was started in a governed project and has no end in its ledger. */
export const UNFINISHED_ACTIONS = json.list(
  json.fields({ start: json.text, number: json.count, at: json.text, agent: json.text, action: json.text }),
);

/** What was checked, what is damaged and what that costs. */
export const VERIFIED: json.JsonSchema = json.fields({
  ok: json.flag,
  objects: json.count,
  checkpoints: json.count,
  trails: json.count,
  damage: json.list({
    type: "object",
    properties: { kind: json.text, what: json.text, object: json.text, costs: json.texts },
    required: ["kind", "what", "costs"],
  }),
  damaged_trails: json.texts,
  unfinished: UNFINISHED_ACTIONS,
  repaired: {
    anyOf: [
      json.list(
        json.fields({
          trail: json.text,
          damaged: json.nullableText,
          whole: json.nullableText,
          checkpoint_id: json.nullableText,
          reason: json.nullableText,
        }),
      ),
      { type: "null" },
    ],
  },
  unrecorded: json.list(
    json.fields({
      checkpoint_id: json.text,
      trail: json.text,
      created_at: json.text,
      agent_id: json.nullableText,
      trigger: json.text,
    }),
  ),
  brought: json.list(json.fields({ origin: json.text, checkpoints: json.count })),
});

/** What came out of a damaged store. */
export const SALVAGED: json.JsonSchema = json.fields({
  folder: json.text,
  trails: json.count,
  checkpoints: json.count,
  lost: json.list(
    json.fields({
      what: json.enumOf("checkpoint", "head", "log"),
      name: json.text,
      trail: json.nullableText,
      why: json.text,
    }),
  ),
});

/** Which store is used, and who works in it. */
export const STORE_STATUS: json.JsonSchema = json.fields({
  kind: json.enumOf("local", "shared"),
  id: json.text,
  durability: json.enumOf("durable", "cache"),
  trails: json.count,
  work: json.nullable(
    json.fields({
      workers: json.list(
        json.fields({
          host: json.text,
          pid: json.count,
          queues: json.texts,
          slots: json.count,
          running: json.count,
          note: json.nullableText,
        }),
      ),
      queues: { type: "object" },
      oldest_lease_ms: json.nullable({ type: "integer" }),
    }),
  ),
});

/** What came from a file, or from the sessions of a client. */
export const IMPORTED: json.JsonSchema = {
  type: "object",
  properties: {
    format: json.text,
    trail: json.text,
    head: json.text,
    checkpoints: json.count,
    was_there: json.flag,
    proven: json.flag,
    checkpoint: info,
    run: json.nullableText,
    client: json.text,
    dry_run: json.flag,
    sessions: json.list(
      json.fields({
        session_id: json.text,
        source: json.text,
        cwd: json.nullableText,
        goal: json.nullableText,
        last_seen_at: json.nullableText,
        lines: json.count,
        new_lines: json.count,
        secrets_removed: json.count,
        trail: json.nullableText,
        transcript_trail: json.nullableText,
        checkpoint_id: json.nullableText,
        was_rewritten: json.flag,
        subagent_files: json.count,
        problems: json.list(json.fields({ line: json.count, reason: json.text })),
        more_problems: json.count,
        error: json.nullableText,
      }),
    ),
  },
  required: ["format"],
};
