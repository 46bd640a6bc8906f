import * as z from "zod";
import { oneLine } from "../../../text/visible.ts";
import type { WorkflowContext } from "../../../workflow/context.ts";
import { findRuns, resumePlan as planOf } from "../../../workflow/runner/find-runs.ts";
import type { Reading } from "../desk.ts";
import { inLines } from "../schemas.ts";
import { LOOKS, type Call, type Tool } from "../tool.ts";

export const runId = z.string().min(1).max(200).describe("The run's id, as runs lists it.");

/** What the functions about runs work with. */
function workflowContext(
  { desk }: Pick<Call, "desk">,
  { project, cairn }: Pick<Reading, "project" | "cairn">,
): WorkflowContext {
  const { env, now, runner } = desk.world;
  return { ...project, ...runner, cairn, env, now };
}

const runsInput = z.strictObject({
  workflow: z.string().max(200).optional().describe("Only those of this workflow."),
  archived: z.boolean().default(false).describe("Those that were put aside."),
});

const runsOutput = z.looseObject({
  runs: z.array(
    z.looseObject({ id: z.string(), workflow: z.string(), status: z.string(), can_resume: z.boolean() }),
  ),
});

export const runs: Tool<typeof runsInput, typeof runsOutput> = {
  name: "runs",
  title: "List the runs",
  description:
    "The runs of workflows in this project: how far each is, what comes next, and which can go on.",
  input: runsInput,
  output: runsOutput,
  annotations: LOOKS,
  run: async (input, call) => {
    const project = await call.desk.whereabouts.project(call.server);
    return call.desk.stores.read(project, async (cairn) => {
      const found = await findRuns(workflowContext(call, { project, cairn }), input);
      const lines = found.map(({ id, workflow, status, completed, total, next }) =>
        oneLine(
          `${id}  ${workflow}  ${status}  ${completed}/${total}${next.length > 0 ? `  next: ${next.join(", ")}` : ""}`,
        ),
      );
      return { data: { runs: found }, text: inLines(lines.length === 0 ? ["No runs."] : lines) };
    });
  },
};

const planInput = z.strictObject({ run: runId });
const planOutput = z.looseObject({
  run_id: z.string(),
  status: z.string(),
  can_resume: z.boolean(),
  completed: z.array(z.string()),
  remaining: z.array(z.string()),
  next: z.string().nullable(),
  steps: z.array(z.unknown()),
  gate: z.looseObject({ verdict: z.string() }),
});

export const resumePlan: Tool<typeof planInput, typeof planOutput> = {
  name: "resume_plan",
  title: "Plan a resume",
  description:
    "What resuming a run would do: what is kept, what runs next and why, and whether anything speaks against it. Changes nothing.",
  input: planInput,
  output: planOutput,
  annotations: LOOKS,
  run: async ({ run }, call) => {
    const project = await call.desk.whereabouts.project(call.server);
    return call.desk.stores.read(project, async (cairn) => {
      const plan = await planOf(workflowContext(call, { project, cairn }), run);
      const steps = plan.steps.map(({ id, action, reason }) => oneLine(`${action}  ${id}: ${reason}`));
      const first = `${plan.run_id} is ${plan.status}; ${plan.can_resume ? "it can go on" : "it cannot go on"} (${plan.gate.verdict}).`;
      return { data: { ...plan }, text: inLines([first, ...steps]) };
    });
  },
};
