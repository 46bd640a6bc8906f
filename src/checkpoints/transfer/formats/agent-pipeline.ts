import type { ForeignFields } from "../foreign-fields.ts";
import type { ImportOrigin } from "../origin.ts";
import { remainingOf, type ForeignWork, type PipelineStep } from "./pipeline.ts";

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
export function readAgentPipeline(fields: ForeignFields, { at, by }: ImportOrigin): ForeignWork {
  const id = fields.text("workflow_id");
  const completed = [...new Set(fields.texts("completed_agents"))];
  const current = fields.text("current_agent");
  const created = fields.text("created_at") ?? at;
  const metadata = fields.object("metadata");
  // The current agent may be the one that has just completed: then nothing is known to be under way.
  const isOpen = current !== null && !completed.includes(current);
  const known = isOpen ? [...completed, current] : completed;
  const remaining = remainingOf(known, AGENTS);
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
  const { error = null } = metadata;
  const problem = typeof error === "string" || error === null ? error : JSON.stringify(error);
  const files = fields.texts("artifacts_created");
  const steps = tasks.map(({ subject, status }): PipelineStep => ({
    name: subject,
    state: STATES[status],
    at: created,
  }));
  const last = completed.at(-1) ?? known[0];
  return {
    parts: {
      tasks,
      ...(isOpen && { active_task_id: String(known.length) }),
      ...(next !== undefined && { next_action: `Run agent ${next}` }),
      ...(problem && { blockers: [{ text: problem, at: created, by }] }),
      recent_outputs: files.map((name) => ({
        type: "artifact",
        id: name,
        action: "created",
        success: true,
        timestamp: created,
      })),
      variables: { ...metadata, workflow_id: id },
    },
    // The file does not say which agent made which artifact, only that all were there when the last one had completed.
    ...(id !== null && {
      pipeline: {
        id,
        unit: "agent",
        steps,
        artifacts: last === undefined ? [] : files.map((path) => ({ path, step: last })),
        artifactsAre: "beside the file",
        updated_at: created,
        problem,
      },
    }),
  };
}

const STATES = { completed: "done", in_progress: "under way", pending: "to come" } as const;

function statusAt(index: number, completed: number, known: number): keyof typeof STATES {
  if (index < completed) return "completed";
  return index < known ? "in_progress" : "pending";
}
