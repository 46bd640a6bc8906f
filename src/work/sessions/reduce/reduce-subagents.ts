import type { Json, JsonObject } from "../../../core/objects/json.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import type { WorkState } from "../../state/work-state.ts";
import { subagentTrail } from "../session.ts";
import type { TrailEvent } from "./reduce.ts";
import { touch } from "./reduce-calls.ts";
import { set } from "./set.ts";

const MOST_SUBAGENTS = 50;

/** Sub-agents: when they started, what they said last, and which of them were lost. */
export function reduceSubagents(state: WorkState, event: TrailEvent): void {
  const { hook, at, parentTrail, filesOfSubagent = [] } = event;
  if (parentTrail !== undefined) return;
  if (hook.moment === "agent-start") upsert(state, event, { status: "running", started_at: at });
  if (hook.moment === "agent-stop") {
    touch(state, filesOfSubagent);
    upsert(state, event, endOf(event));
  }
  // They survive a compaction; a client that restarts, or whose model fails, loses them.
  const isRestarted = hook.moment === "start" && textOf(hook.fields, "source") !== "compact";
  if (hook.moment === "failure" || isRestarted)
    state.subagents = state.subagents.map((each) =>
      textOf(each, "status") === "running" ? { ...(each as JsonObject), status: "interrupted" } : each,
    );
}

function endOf({ at, content, filesOfSubagent = [] }: TrailEvent): JsonObject {
  const end: JsonObject = { status: "completed", ended_at: at };
  set(end, "last_message", content.message);
  set(end, "transcript_path", content.about?.agentTranscript);
  if (filesOfSubagent.length > 0) end["files_touched"] = [...filesOfSubagent];
  return end;
}

function upsert(state: WorkState, { hook, content }: TrailEvent, change: JsonObject): void {
  const { agentId: id, sessionId } = hook;
  if (id === undefined) return;
  const before = state.subagents.find((each) => textOf(each, "id") === id) as JsonObject | undefined;
  const type = content.about?.agentType;
  const entry = { id, ...(type && { type }), trail: subagentTrail(sessionId, id), ...before, ...change };
  state.subagents = withoutOldest([...state.subagents.filter((each) => each !== before), entry]);
}

/** Drops one if there are too many: the oldest that is done, else the oldest. */
function withoutOldest(subagents: Json[]): Json[] {
  if (subagents.length <= MOST_SUBAGENTS) return subagents;
  const done = subagents.findIndex((each) => textOf(each, "status") === "completed");
  return subagents.filter((_, index) => index !== Math.max(0, done));
}
