import type { Json, JsonObject } from "../../objects/json.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { asRecord, textOf } from "../../text/untrusted.ts";
import type { Said } from "../events/facts.ts";
import type { Known } from "./reduce.ts";
import { touch } from "./reduce-calls.ts";
import { subagentTrail } from "../session.ts";

const MOST_SUBAGENTS = 50;

/** Sub-agents: when they started, what they said last, and which of them nobody hears of any more. */
export function reduceSubagents(state: WorkState, known: Known, said: Said): void {
  const { event, parentTrail } = known;
  if (parentTrail !== undefined) return;
  if (event.moment === "agent-start") upsert(state, known, said, { status: "running", started_at: known.at });
  if (event.moment === "agent-stop") {
    touch(state, known.filesOfSubagent ?? []);
    upsert(state, known, said, stopped(known, said));
  }
  // After a compaction they go on; a client that was started again, or whose model fails, has lost them.
  const isLost =
    event.moment === "failure" || (event.moment === "start" && textOf(event.fields, "source") !== "compact");
  if (isLost) interrupt(state);
}

function stopped({ at, filesOfSubagent = [] }: Known, { message, about }: Said): JsonObject {
  const transcript = about?.agentTranscript;
  return {
    status: "completed",
    ended_at: at,
    ...(message === undefined ? {} : { last_message: message }),
    ...(transcript === undefined ? {} : { transcript_path: transcript }),
    ...(filesOfSubagent.length === 0 ? {} : { files_touched: [...filesOfSubagent] }),
  };
}

function upsert(state: WorkState, { event }: Known, { about }: Said, change: JsonObject): void {
  const id = event.agentId;
  const type = about?.agentType;
  if (id === undefined) return;
  const before = state.subagents.find((each) => textOf(each, "id") === id);
  const entry: JsonObject = {
    id,
    ...(type === undefined ? {} : { type }),
    trail: subagentTrail(event.sessionId, id),
    ...(asRecord(before) as JsonObject | undefined),
    ...change,
  };
  const others = state.subagents.filter((each) => each !== before);
  state.subagents = withoutOldest([...others, entry]);
}

function interrupt(state: WorkState): void {
  const isRunning = (each: Json) => textOf(each, "status") === "running";
  state.subagents = state.subagents.map((each) =>
    isRunning(each) ? { ...(each as JsonObject), status: "interrupted" } : each,
  );
}

/** Those that are done go first. */
function withoutOldest(subagents: readonly Json[]): Json[] {
  if (subagents.length <= MOST_SUBAGENTS) return [...subagents];
  const done = subagents.findIndex((each) => textOf(each, "status") === "completed");
  return subagents.filter((_, index) => index !== Math.max(0, done));
}
