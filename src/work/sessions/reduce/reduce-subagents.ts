import type { Json, JsonObject } from "../../../core/objects/json.ts";
import type { WorkState } from "../../state/work-state.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import type { EventFacts } from "../events/facts.ts";
import type { ReduceContext } from "./reduce.ts";
import { touch } from "./reduce-calls.ts";
import { set } from "./set.ts";
import { subagentTrail } from "../session.ts";

const MOST_SUBAGENTS = 50;

/** Sub-agents: when they started, what they said last, and which of them were lost. */
export function reduceSubagents(state: WorkState, context: ReduceContext, facts: EventFacts): void {
  const { event, parentTrail } = context;
  if (parentTrail !== undefined) return;
  if (event.moment === "agent-start")
    upsert(state, context, facts, { status: "running", started_at: context.at });
  if (event.moment === "agent-stop") {
    touch(state, context.filesOfSubagent ?? []);
    upsert(state, context, facts, stopped(context, facts));
  }
  // They survive a compaction; a client that restarts, or whose model fails, loses them.
  const isLost =
    event.moment === "failure" || (event.moment === "start" && textOf(event.fields, "source") !== "compact");
  if (isLost) interrupt(state);
}

function stopped({ at, filesOfSubagent = [] }: ReduceContext, { message, about }: EventFacts): JsonObject {
  const end: JsonObject = { status: "completed", ended_at: at };
  set(end, "last_message", message);
  set(end, "transcript_path", about?.agentTranscript);
  if (filesOfSubagent.length > 0) end["files_touched"] = [...filesOfSubagent];
  return end;
}

function upsert(state: WorkState, { event }: ReduceContext, { about }: EventFacts, change: JsonObject): void {
  const { agentId: id, sessionId } = event;
  if (id === undefined) return;
  const before = state.subagents.find((each) => textOf(each, "id") === id) as JsonObject | undefined;
  const type = about?.agentType === undefined ? {} : { type: about.agentType };
  const entry = { id, ...type, trail: subagentTrail(sessionId, id), ...before, ...change };
  state.subagents = withoutOldest([...state.subagents.filter((each) => each !== before), entry]);
}

function interrupt(state: WorkState): void {
  const isRunning = (each: Json) => textOf(each, "status") === "running";
  state.subagents = state.subagents.map((each) =>
    isRunning(each) ? { ...(each as JsonObject), status: "interrupted" } : each,
  );
}

/** Drops one if there are too many: the oldest that is done, else the oldest. */
function withoutOldest(subagents: readonly Json[]): Json[] {
  if (subagents.length <= MOST_SUBAGENTS) return [...subagents];
  const done = subagents.findIndex((each) => textOf(each, "status") === "completed");
  return subagents.filter((_, index) => index !== Math.max(0, done));
}
