import * as json from "../../verbs/json-schema.ts";
import { INFO, open } from "../../verbs/json-schema.ts";

/** The larger parts of what looking verbs give. */
const values = (schema: json.JsonSchema) => ({
  type: "object",
  propertyNames: { type: "string" },
  additionalProperties: schema,
});
const fromTo = open({ from: json.anything, to: json.anything });
const itemChanges = open({
  added: json.list(open({})),
  removed: json.list(open({})),
  changed: json.list(open({ id: json.text, title: json.text, fields: values(fromTo) })),
});

/** What changed between two checkpoints, in the terms of the work. */
export const CHANGES = {
  phase: json.nullable(fromTo),
  tasks: itemChanges,
  dependencies: itemChanges,
  variables: open({ added: values({}), removed: values({}), changed: values(fromTo) }),
  other: json.list(
    open({
      kind: json.oneOf("added", "removed", "changed", "moved"),
      path: json.text,
      from: json.anything,
      to: json.anything,
    }),
  ),
};

export const STATUS = open({
  root: json.text,
  trail: json.text,
  checkpoint: open(INFO),
  damaged_head: {
    description: "The newest checkpoint, if it is damaged: then an older one is shown.",
    ...json.nullableText,
  },
  goal: json.nullableText,
  phase: json.anything,
  active_task: json.anything,
  open_tasks: json.list(json.anything),
  blockers: json.list(json.anything),
  approvals_pending: json.list(json.anything),
  next_action: json.nullableText,
  workspace: json.anything,
  runs_waiting: json.list(
    open({
      trail: json.text,
      status: json.text,
      completed: json.whole(0),
      total: json.whole(0),
      command: json.text,
      why: json.text,
    }),
  ),
  sessions: json.described(
    "Other sessions: those that live, and those that went on after this checkpoint.",
    json.list(
      open({
        trail: json.text,
        client: json.text,
        status: json.text,
        goal: json.nullableText,
        last_seen_at: json.text,
      }),
    ),
  ),
  go_on: json.list(open({ command: json.text, why: json.text })),
});

/** What a briefing kept or left out, and what it was worth. */
export const WEIGHED = open({
  id: json.text,
  section: json.text,
  tier: json.whole(0),
  form: json.oneOf("full", "short", "pointer"),
  tokens: { type: "number" },
  value: { type: "number" },
});

/** Everything unfinished. */
export const UNFINISHED = json.list(
  open({
    kind: json.oneOf("run", "trail", "progress"),
    name: json.described("The run, the trail, or the file.", json.text),
    status: json.text,
    doing: json.described("What was being done.", json.text),
    next: json.described("Where it would go on.", json.text),
    updated_at: json.text,
    completed: json.whole(0),
    total: json.whole(0),
    percent: json.whole(0),
    command: json.described("How to go on with it.", json.text),
  }),
);

/** An agent's session. */
export const SESSION = json.fields({
  id: json.text,
  client: json.text,
  trail: json.text,
  checkpoint_id: json.text,
  status: json.enumOf("working", "waiting", "failed", "ended", "died", "unknown"),
  known: json.text,
  goal: json.nullableText,
  model: json.nullableText,
  started_at: json.nullableText,
  last_seen_at: json.text,
  last_action: json.nullableText,
  last_message: json.nullableText,
  tasks: json.fields({ done: json.count, open: json.count, active: json.nullableText }),
  files_touched: json.texts,
  checks_failing: json.texts,
  subagents: json.list(
    json.fields({
      id: json.text,
      type: json.nullableText,
      status: json.text,
      last_message: json.nullableText,
    }),
  ),
  transcript: json.fields({ path: json.nullableText, exists: json.flag, archived: json.nullableText }),
  resume: json.nullableText,
});
