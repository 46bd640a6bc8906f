import { count, enumOf, fields, flag, list, nullableText, text } from "./parts.ts";

const remote = fields({
  name: text,
  url: text,
  key_id: nullableText,
  single_writer: flag,
  synced_at: nullableText,
});

const pushed = list(
  fields({
    trail: text,
    outcome: enumOf("pushed", "would push", "would fetch", "up to date", "fast-forwarded", "diverged"),
    checkpoints: count,
    size_bytes: count,
    as: text,
    kept: nullableText,
  }),
);

const pulled = list(
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

const failed = list(fields({ trail: text, code: text, message: text, hint: nullableText }));

const pull = fields({ remote: text, dry_run: flag, trails: pulled, failed });

const backup = { file: text, objects: count, checkpoints: count, trails: count };

/** What the commands print that bring checkpoints elsewhere and back. */
export const REMOTE_DOCUMENTS = {
  "remote add": fields({ remote }),
  "remote list": fields({ remotes: list(remote) }),
  "remote remove": fields({ remote }),
  push: fields({ remote: text, dry_run: flag, trails: pushed, failed }),
  pull,
  sync: fields({ remote: text, dry_run: flag, pulled, failed, pushed }),
  clone: pull,
  "key export": fields({ key_id: text, key: text }),
  "key import": fields({ key_id: text }),
  mirror: fields({ file: text, was_there: flag, is_current: flag }),
  "mirror list": fields({
    mirrors: list(fields({ name: text, file: text, project: text, is_gone: flag, saved_at: text })),
  }),
  "mirror restore": fields({
    name: text,
    restored: enumOf("store", "trails"),
    trails: list(fields({ trail: text, as: text })),
  }),
  backup: fields({ ...backup, bytes: count }),
  "backup restore": fields({ ...backup, store: text }),
};
