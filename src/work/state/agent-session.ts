import type { Json } from "../../core/objects/json.ts";
import {
  enumOf,
  fields,
  list,
  nullable,
  number,
  optional,
  orElse,
  type Shape,
  text,
  type ValueOf,
  withMore,
} from "../shape/shape.ts";

/** Any list, as other programs have it. */
export const jsonList: Shape<Json[]> = { type: "array" };

const known = withMore(
  fields({
    /** The client's own name for it. */
    id: text,
    client: text,
    /** `idle` while it waits for a prompt, `failed` when its client said so; a killed one stays `running`. */
    status: enumOf("running", "idle", "failed", "ended"),
    started_at: text,
    /** Who set the goal, if it is the first prompt: `person`, or `unconfirmed`. */
    goal_by: optional(text),
    model: optional(text),
    transcript_path: optional(text),
    /** The trail that keeps its transcript. */
    transcript_trail: optional(text),
    /** The folder that it was started in: its client finds it only from there. */
    cwd: optional(text),
    last_action: optional(text),
    /** What its agent said last. */
    last_message: optional(text),
    error: optional(text),
    compactions: optional(number),
    /** The tool calls that were seen last, by the client's names for them. */
    calls_seen: optional(list(text)),
    /** What goes on by itself: background commands, timers. */
    background: optional(jsonList),
    /** For a sub-agent: which one it is, and the trail of the session that started it. */
    agent: optional(fields({ id: text, type: orElse(nullable(text), null) })),
    parent_trail: optional(text),
    /** The checkpoint that this session was forked from, and the one that was handed to it when it began. */
    forked_from: optional(text),
    handed_over: optional(text),
    /** The checkpoint whose unfinished work it took into its own state. */
    took_over: optional(text),
    /** The checkpoint whose record its conversation was given since the last compaction. */
    record_given: optional(text),
    /** The checkpoint of the project's own trail that it was last told of. */
    project_told: optional(text),
  }),
  { name: "session" },
);

/** The session of an agent client that works on a trail. */
export type AgentSession = ValueOf<typeof known> & { [unknown: string]: unknown };

export const session = known as Shape<AgentSession>;
