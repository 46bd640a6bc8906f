import { emptyWorkState, type PhaseStatus, type WorkState } from "../state/work-state.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { formatNote } from "./format-progress.ts";
import {
  PHASES,
  PROGRESS_FIELDS,
  type AgentProgress,
  type Milestone,
  type ProgressNote,
} from "./progress.ts";

const PHASE_STATUS: Readonly<Record<AgentProgress["status"], PhaseStatus>> = {
  in_progress: "in_progress",
  blocked: "blocked",
  awaiting_review: "in_progress",
  complete: "completed",
};

/** How many of the last notes stand with the phase, where every summary shows them. */
const NOTES_SHOWN = 5;

/**
 * Progress as the work state that its trail holds, so that everything that shows work shows it too: the feature is the
 * goal, notes are outputs, and the fields of the file are variables.
 */
export function workOf(progress: AgentProgress): WorkState {
  const { feature, agent, team, phase, status, last_action, notes } = progress;
  const fields = PROGRESS_FIELDS.filter((field) => field !== "phase" && progress[field] !== undefined);
  const isOpen = status !== "complete";
  return {
    ...emptyWorkState(),
    goal: `Feature ${feature}, by ${agent}${team === undefined ? "" : ` of team ${team}`}`,
    ...(isOpen && { next_action: `Continue after "${last_action}"` }),
    phase: {
      name: phase,
      number: PHASES.indexOf(phase) + 1,
      status: PHASE_STATUS[status],
      started_at: null,
      notes: [
        ...(status === "awaiting_review" ? ["awaiting review"] : []),
        ...notes.slice(-NOTES_SHOWN).map((note) => formatNote(note).slice("- ".length)),
      ].join("; "),
    },
    variables: Object.fromEntries(fields.map((field) => [field, progress[field]!])),
    recent_outputs: notes.map(({ at, text, milestone = "" }) => ({
      type: "note",
      id: milestone,
      action: text,
      success: true,
      timestamp: at,
    })),
  };
}

/** The progress in a state of its trail; undefined before there is any. */
export function progressIn(state: Readonly<Record<string, unknown>>): AgentProgress | undefined {
  // Earlier versions kept the fields themselves.
  if (typeof state["feature"] === "string") return state as unknown as AgentProgress;
  const { variables, phase, recent_outputs: outputs } = state as unknown as WorkState;
  if (!isRecord(variables) || typeof variables["feature"] !== "string") return undefined;
  const fields = { ...variables, phase: phase?.name } as unknown as AgentProgress;
  return { ...fields, notes: outputs.filter(({ type }) => type === "note").map(noteOf) };
}

function noteOf({ id, action, timestamp }: WorkState["recent_outputs"][number]): ProgressNote {
  return { at: timestamp, text: action, ...(id !== "" && { milestone: id as Milestone }) };
}
