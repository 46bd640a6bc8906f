import type { ForeignFields } from "../foreign-fields.ts";
import type { ImportOrigin } from "../origin.ts";
import type { Task } from "../../state/work-state.ts";
import { futureTimes, type ForeignWork, type PipelineStep } from "./pipeline.ts";

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
  fields.require("version", "workflow_id", "completed_agents", "current_agent");
  const id = fields.text("workflow_id");
  const completed = [...new Set(fields.texts("completed_agents"))];
  const current = fields.text("current_agent");
  const created = fields.time("created_at") ?? at;
  const metadata = fields.object("metadata");
  // The current agent may be the one that has just completed: then nothing is known to be under way.
  const isOpen = current !== null && !completed.includes(current);
  const known = isOpen ? [...completed, current] : completed;
  // In the pipeline's order, so that an agent that was left out comes next.
  const agents = known.every((agent) => AGENTS.includes(agent)) ? AGENTS : known;
  const next = agents.find((agent) => !completed.includes(agent));
  const tasks = agents.map((agent, index) => ({
    id: String(index + 1),
    subject: agent,
    status: completed.includes(agent) ? "completed" : agent === current ? "in_progress" : "pending",
    owner: agent,
    blocks: [],
    blocked_by: [],
    at: created,
    by,
  })) satisfies Task[];
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
      ...(isOpen && { active_task_id: String(agents.indexOf(current) + 1) }),
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
        problems: futureTimes([created], at),
        problem,
      },
    }),
  };
}

const STATES = { completed: "done", in_progress: "under way", pending: "to come" } as const;
