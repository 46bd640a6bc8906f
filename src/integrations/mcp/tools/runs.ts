import { oneLine } from "../../../text/visible.ts";
import * as verbs from "../../../project/runs/runs.ts";
import { RESUME_PLAN, RUNS } from "../../../project/runs/schemas.ts";
import { LOOKS, type Tool } from "../tool.ts";

export const runs: Tool<typeof RUNS.input, typeof RUNS.result> = {
  name: "runs",
  title: "List the runs",
  description:
    "The runs of workflows in this project: how far each is, what comes next, and which can go on.",
  input: RUNS.input,
  output: RUNS.result,
  annotations: LOOKS,
  run: async (input, { project }) => {
    const found = await verbs.runs(project, input);
    const lines = found.map(({ id, workflow, status, completed, total, next }) =>
      oneLine(
        `${id}  ${workflow}  ${status}  ${completed}/${total}${next.length > 0 ? `  next: ${next.join(", ")}` : ""}`,
      ),
    );
    return { data: { runs: found }, text: lines.length === 0 ? "No runs." : lines.join("\n") };
  },
};

export const resumePlan: Tool<typeof RESUME_PLAN.input, typeof RESUME_PLAN.result> = {
  name: "resume_plan",
  title: "Plan a resume",
  description:
    "What resuming a run would do: what is kept, what runs next and why, and whether anything speaks against it. Changes nothing.",
  input: RESUME_PLAN.input,
  output: RESUME_PLAN.result,
  annotations: LOOKS,
  run: async (input, { project }) => {
    const plan = await verbs.resumePlan(project, input);
    const steps = plan.steps.map(({ id, action, reason }) => oneLine(`${action}  ${id}: ${reason}`));
    const first = `${plan.run_id} is ${plan.status}; ${plan.can_resume ? "it can go on" : "it cannot go on"} (${plan.resume_check.verdict}).`;
    return { data: { ...plan }, text: [first, ...steps].join("\n") };
  },
};
