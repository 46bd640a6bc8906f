import { read, readText } from "../shape/read.ts";
import { describe, isRecord, textOf } from "../../core/text/untrusted.ts";
import {
  enumOf,
  fields,
  flag,
  integer,
  list,
  nullable,
  number,
  optional,
  orElse,
  type Parts,
  type Shape,
  text,
  type ValueOf,
  withMore,
} from "../shape/shape.ts";

/** A definition of its own in the published schema. */
const named = <Of extends Parts>(name: string, parts: Of) => withMore(fields(parts), { name });

/** Who put an item there, and when: a handoff weighs recency and names provenance. */
const provenance = {
  at: optional(text),
  /** `person`, `agent:<id>`, `tool:<name>`, `import:<source>` … */
  by: optional(text),
};
export const provenanceShape = fields({ ...provenance, promoted_from: optional(text) });
export type Provenance = ValueOf<typeof provenanceShape>;

export const task = named("task", {
  id: text,
  subject: orElse(text, "(no subject)"),
  status: orElse(enumOf("pending", "in_progress", "blocked", "completed", "cancelled"), "pending"),
  owner: orElse(nullable(text), null),
  blocks: orElse(list(text), []),
  blocked_by: orElse(list(text), []),
  /** More than the subject says. */
  description: optional(text),
  evidence: optional(text),
  /** What it waits for, or why it was given up. */
  reason: optional(text),
  /** It comes from the list of an agent's client, by a hook: recorded, whatever the agent may do itself. */
  captured: optional(flag),
  /** No live agent works on it, though it is in progress. Never stored: it is found when the state is read. */
  interrupted: optional(flag),
  ...provenance,
});
export type Task = ValueOf<typeof task>;
export type TaskStatus = Task["status"];

export const phase = named("phase", {
  name: text,
  number: orElse(nullable(integer), null),
  status: orElse(enumOf("pending", "in_progress", "blocked", "completed", "failed"), "pending"),
  started_at: orElse(nullable(text), null),
  notes: orElse(nullable(text), null),
});
export type Phase = ValueOf<typeof phase>;
export type PhaseStatus = Phase["status"];

/** A sentence: a constraint, a blocker, a gotcha. */
export const remark = sentence(named("remark", { text, ...provenance }), "text");
export type Remark = ValueOf<typeof remark>;

/** What a person asked for, in their own words. `unconfirmed` until the client's own transcript holds them as typed. */
export const instruction = sentence(
  named("instruction", {
    text,
    /** The question that it answers, or the call that it refuses. */
    answers: optional(text),
    /** Whether it was typed while the agent worked: then it adds to the request before it. */
    meanwhile: optional(flag),
    ...provenance,
  }),
  "text",
);

export const decision = sentence(
  named("decision", { what: text, why: orElse(nullable(text), null, false), ...provenance }),
  "what",
);
export type Decision = ValueOf<typeof decision>;

/**
 * Entries of lists that people number. None is ever left out, or else a number would mean another one: what is not in our
 * form is told in its own words.
 */
function sentence<Value extends object>(shape: Shape<Value>, name: keyof Value & string): Shape<Value> {
  return withMore(shape, {
    fromText: (said) => read(shape, { [name]: said }),
    read: (value) =>
      read(shape, value) ?? read(shape, { ...(isRecord(value) && value), [name]: wordsOf(value) }),
  });
}

const wordsOf = (value: unknown) =>
  readText(value) ?? textOf(value, "text", "subject", "what", "name", "id") ?? describe(value, Infinity);

export const dependency = named("dependency", {
  name: text,
  type: orElse(text, "service"),
  status: orElse(text, "unknown"),
  endpoint: orElse(nullable(text), null),
  last_checked: orElse(nullable(text), null),
  latency_ms: optional(nullable(number)),
  /** Why it is not available, or was not asked. */
  reason: optional(text),
  ...provenance,
});
export type Dependency = ValueOf<typeof dependency>;

export const output = named("output", {
  type: text,
  id: orElse(text, ""),
  action: orElse(text, ""),
  success: flag,
  timestamp: orElse(text, ""),
  /** What came out, shortened. */
  output: optional(text),
  ...provenance,
});
export type RecentOutput = ValueOf<typeof output>;

export const command = named("command", {
  argv: list(text),
  ok: orElse(nullable(flag), null),
  at: orElse(text, ""),
  by: provenance.by,
  /** Whether it was running when its session broke off. Never stored: it is found when the state is read. */
  interrupted: optional(flag),
});
export type Command = ValueOf<typeof command>;

export const workspace = named("workspace", {
  head: orElse(nullable(text), null),
  branch: orElse(nullable(text), null),
  /** Null when git could not tell. */
  dirty: orElse(nullable(flag), null),
  /** How many files were touched besides those in `files_touched`, where that lists only the first. */
  more_files: optional(number),
});
export type Workspace = ValueOf<typeof workspace>;
