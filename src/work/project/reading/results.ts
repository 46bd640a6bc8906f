import {
  INFO,
  type JsonSchema,
  anything,
  count,
  described,
  enumOf,
  fields,
  flag,
  list,
  nullable,
  nullableText,
  oneOf,
  open,
  text,
  texts,
  whole,
} from "../../verbs/json-schema.ts";

/** The larger parts of what looking verbs give. */
const values = (schema: JsonSchema) => ({
  type: "object",
  propertyNames: { type: "string" },
  additionalProperties: schema,
});
const fromTo = open({ from: anything, to: anything });
const itemChanges = open({
  added: list(open({})),
  removed: list(open({})),
  changed: list(open({ id: text, title: text, fields: values(fromTo) })),
});

/** What changed between two checkpoints, in the terms of the work. */
export const CHANGES = {
  phase: nullable(fromTo),
  tasks: itemChanges,
  dependencies: itemChanges,
  variables: open({ added: values({}), removed: values({}), changed: values(fromTo) }),
  other: list(
    open({ kind: oneOf("added", "removed", "changed", "moved"), path: text, from: anything, to: anything }),
  ),
};

export const STATUS = open({
  root: text,
  trail: text,
  checkpoint: open(INFO),
  damaged_head: {
    description: "The newest checkpoint, if it is damaged: then an older one is shown.",
    ...nullableText,
  },
  goal: nullableText,
  phase: anything,
  active_task: anything,
  open_tasks: list(anything),
  blockers: list(anything),
  approvals_pending: list(anything),
  next_action: nullableText,
  workspace: anything,
  runs_waiting: list(
    open({ trail: text, status: text, completed: whole(0), total: whole(0), command: text, why: text }),
  ),
  sessions: described(
    "Other sessions: the live ones, and those newer than this checkpoint.",
    list(open({ trail: text, client: text, status: text, goal: nullableText, last_seen_at: text })),
  ),
  go_on: list(open({ command: text, why: text })),
});

/** What a briefing kept or left out, and what it was worth. */
export const WEIGHED = open({
  id: text,
  section: text,
  tier: whole(0),
  form: oneOf("full", "short", "pointer"),
  tokens: { type: "number" },
  value: { type: "number" },
});

/** Everything unfinished. */
export const UNFINISHED = list(
  open({
    kind: oneOf("run", "trail", "progress"),
    name: described("The run, the trail, or the file.", text),
    status: text,
    doing: described("What was being done.", text),
    next: described("Where it would continue.", text),
    updated_at: text,
    completed: whole(0),
    total: whole(0),
    percent: whole(0),
    command: described("How to continue it.", text),
  }),
);

/** An agent's session. */
export const SESSION = fields({
  id: text,
  client: text,
  trail: text,
  checkpoint_id: text,
  status: enumOf("working", "waiting", "failed", "ended", "died", "unknown"),
  known: text,
  goal: nullableText,
  model: nullableText,
  started_at: nullableText,
  last_seen_at: text,
  last_action: nullableText,
  last_message: nullableText,
  tasks: fields({ done: count, open: count, active: nullableText }),
  files_touched: texts,
  checks_failing: texts,
  subagents: list(fields({ id: text, type: nullableText, status: text, last_message: nullableText })),
  transcript: fields({ path: nullableText, exists: flag, archived: nullableText }),
  resume: nullableText,
});
