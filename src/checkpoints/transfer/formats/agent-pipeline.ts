import type { TaskStatus, WorkState } from "../../work-state.ts";
import type { ForeignFields } from "../foreign-fields.ts";
import type { ImportOrigin } from "../origin.ts";

/** The agents of the pipeline that writes these files, in their order. The files themselves only name those that were there. */
const AGENTS = [
  "orchestrator",
  "researcher",
  "planner",
  "test-master",
  "implementer",
  "reviewer",
  "security-auditor",
  "doc-master",
];

/**
 * `checkpoint.json` of agent pipelines: which agents have completed, which one is next, what they made.
 * Each agent becomes a task, so that the handoff and `checkpoint task` show where the pipeline stands.
 */
export function readAgentPipeline(fields: ForeignFields, { at, by }: ImportOrigin): Partial<WorkState> {
  const completed = fields.texts("completed_agents");
  const current = fields.text("current_agent");
  const created = fields.text("created_at") ?? at;
  const metadata = fields.object("metadata");
  // The current agent may be the one that has just completed: then nothing is known to be under way.
  const isOpen = current !== null && !completed.includes(current);
  const known = isOpen ? [...completed, current] : completed;
  const remaining = known.every((agent) => AGENTS.includes(agent))
    ? AGENTS.filter((agent) => !known.includes(agent))
    : [];
  const next = isOpen ? current : remaining[0];
  const tasks = [...known, ...remaining].map((agent, index) => ({
    id: String(index + 1),
    subject: agent,
    status: statusAt(index, completed.length, known.length),
    owner: agent,
    blocks: [],
    blocked_by: [],
    at: created,
    by,
  }));
  const { error } = metadata;
  return {
    tasks,
    ...(isOpen && { active_task_id: String(known.length) }),
    ...(next !== undefined && { next_action: `Run agent ${next}` }),
    ...(error && {
      blockers: [{ text: typeof error === "string" ? error : JSON.stringify(error), at: created, by }],
    }),
    recent_outputs: fields.texts("artifacts_created").map((name) => ({
      type: "artifact",
      id: name,
      action: "created",
      success: true,
      timestamp: created,
    })),
    variables: { ...metadata, workflow_id: fields.text("workflow_id") },
  };
}

function statusAt(index: number, completed: number, known: number): TaskStatus {
  if (index < completed) return "completed";
  return index < known ? "in_progress" : "pending";
}
