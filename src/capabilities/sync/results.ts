import { count, enumOf, fields, flag, list, nullableText, text } from "../../work/verbs/json-schema.ts";

/** What the verbs give that bring checkpoints elsewhere and back. */
export const REMOTE = fields({
  name: text,
  url: text,
  key_id: nullableText,
  single_writer: flag,
  synced_at: nullableText,
});

export const PUSHED = list(
  fields({
    trail: text,
    outcome: enumOf("pushed", "would push", "would fetch", "up to date", "fast-forwarded", "diverged"),
    checkpoints: count,
    size_bytes: count,
    as: text,
    kept: nullableText,
  }),
);

export const PULLED = list(
  fields({
    trail: text,
    outcome: enumOf(
      "new",
      "fast-forwarded",
      "up to date",
      "ahead",
      "diverged",
      "not there",
      "joined",
      "would pull",
    ),
    checkpoints: count,
    machine: nullableText,
    remote_head: nullableText,
    kept: nullableText,
  }),
);

export const FAILED = list(fields({ trail: text, code: text, message: text, hint: nullableText }));

export const PULL = fields({ remote: text, dry_run: flag, trails: PULLED, failed: FAILED });

export const BACKUP = { file: text, objects: count, checkpoints: count, trails: count };

export const MIRROR = fields({ name: text, file: text, project: text, is_gone: flag, saved_at: text });
