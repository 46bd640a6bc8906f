import {
  type JsonSchema,
  count,
  enumOf,
  fields,
  flag,
  list,
  nullableText,
  ref,
  text,
  texts,
} from "../../verbs/json-schema.ts";

const info = ref("checkpoint_info");

/** What was started in a governed project and has no end in its ledger. */
export const UNFINISHED_ACTIONS = list(
  fields({ start: text, number: count, at: text, agent: text, action: text }),
);

/** What was checked, what is damaged and what that costs. */
export const VERIFIED: JsonSchema = fields({
  ok: flag,
  objects: count,
  checkpoints: count,
  trails: count,
  damage: list({
    type: "object",
    properties: { kind: text, what: text, object: text, costs: texts },
    required: ["kind", "what", "costs"],
  }),
  damaged_trails: texts,
  unfinished: UNFINISHED_ACTIONS,
  repaired: {
    anyOf: [
      list(
        fields({
          trail: text,
          damaged: nullableText,
          whole: nullableText,
          checkpoint_id: nullableText,
          reason: nullableText,
        }),
      ),
      { type: "null" },
    ],
  },
  unrecorded: list(
    fields({ checkpoint_id: text, trail: text, created_at: text, agent_id: nullableText, trigger: text }),
  ),
  brought: list(fields({ origin: text, checkpoints: count })),
});

/** What came out of a damaged store. */
export const SALVAGED: JsonSchema = fields({
  folder: text,
  trails: count,
  checkpoints: count,
  lost: list(
    fields({ what: enumOf("checkpoint", "head", "log"), name: text, trail: nullableText, why: text }),
  ),
});

/** What came from a file, or from the sessions of a client. */
export const IMPORTED: JsonSchema = {
  type: "object",
  properties: {
    format: text,
    trail: text,
    head: text,
    checkpoints: count,
    was_there: flag,
    proven: flag,
    checkpoint: info,
    run: nullableText,
    client: text,
    dry_run: flag,
    sessions: list(
      fields({
        session_id: text,
        source: text,
        cwd: nullableText,
        goal: nullableText,
        last_seen_at: nullableText,
        lines: count,
        new_lines: count,
        secrets_removed: count,
        trail: nullableText,
        transcript_trail: nullableText,
        checkpoint_id: nullableText,
        was_rewritten: flag,
        subagent_files: count,
        problems: list(fields({ line: count, reason: text })),
        more_problems: count,
        error: nullableText,
      }),
    ),
  },
  required: ["format"],
};
