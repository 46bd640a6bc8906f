import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
} from "@modelcontextprotocol/server";
import { CheckpointError } from "../../../core/errors.ts";
import { clip, oneLine, visible } from "../../../core/text/visible.ts";
import { artifactsBefore, digestOfFiles, openQuestion } from "../../../capabilities/workflow/run/approval.ts";
import { readRun } from "../../../capabilities/workflow/runner/examine-run.ts";
import { filesNow } from "../../../capabilities/workflow/runner/files-now.ts";
import type { Step } from "../../../capabilities/workflow/definition/types.ts";
import type { Artifact } from "../../../capabilities/workflow/run/run-state.ts";
import type { Project } from "../../../work/project/project.ts";
import { answer } from "../../../capabilities/workflow/verbs/answer.ts";
import { openRuns } from "../../../capabilities/workflow/verbs/open-runs.ts";
import { WORKFLOWS } from "../../../capabilities/workflow/verbs.ts";
import { canAsk, clientName } from "../client.ts";
import { standardSchema } from "../standard-schema.ts";
import { tool, type ToolRequest } from "../tool.ts";

/** A question of a run, with the files that it is about as they are now. */
interface PendingApproval {
  readonly run: string;
  readonly step: Step;
  readonly files: readonly Artifact[];
  /** What the person is asked about: another run, step or file content is another question. */
  readonly about: string;
}

/** What the person chose. */
interface Reply {
  readonly decision: "approve" | "reject";
  readonly option?: string;
  readonly reason?: string;
}
const reply = standardSchema<Reply>({
  type: "object",
  properties: {
    decision: { enum: ["approve", "reject"] },
    option: { type: "string", maxLength: 200 },
    reason: { type: "string", maxLength: 2000 },
  },
  required: ["decision"],
});

export const approve = tool(WORKFLOWS.answer, {
  run: async ({ run, step }, call) => {
    const question = await findQuestion(call.project, run, step);
    if (!canAsk(call)) throw cannotAsk(question);
    const answered = inputResponse(call.context.mcpReq.inputResponses, "decision");
    // An answer counts only for the very question that was asked: the server has signed it.
    const asked = call.context.mcpReq.requestState();
    if (answered.kind !== "elicit" || asked !== question.about) return ask(question, call);
    const content = acceptedContent(call.context.mcpReq.inputResponses, "decision", reply);
    const undecided = { decided: false, approved: null, option: null, reason: null };
    const decided = content === undefined ? undecided : await record(question, content, call);
    return { run, step: question.step.id, ...decided };
  },
  text: ({ run, step, decided, approved }) =>
    decided
      ? `The person ${approved ? "approved" : "rejected"} step ${oneLine(step)} of ${oneLine(run)}.`
      : `The person has not decided. Step ${oneLine(step)} of ${oneLine(run)} still waits.`,
});

async function findQuestion(
  project: Project,
  id: string,
  stepId: string | undefined,
): Promise<PendingApproval> {
  const run = await readRun(await openRuns(project, "read"), id);
  const step = openQuestion(run, stepId);
  const files = await filesNow(project, artifactsBefore(run, step));
  return { run: id, step, files, about: JSON.stringify([project.root, id, step.id, digestOfFiles(files)]) };
}

async function ask(question: PendingApproval, { door, context }: ToolRequest): Promise<InputRequiredResult> {
  const { options } = question.step;
  const requestedSchema = {
    type: "object" as const,
    properties: {
      decision: { type: "string" as const, title: "Decision", enum: ["approve", "reject"] },
      ...(options === undefined
        ? {}
        : { option: { type: "string" as const, title: "Which", enum: [...options] } }),
      reason: { type: "string" as const, title: "Reason", maxLength: 2000 },
    },
    required: ["decision"],
  };
  return inputRequired({
    inputRequests: { decision: inputRequired.elicit({ message: wordsOf(question), requestedSchema }) },
    requestState: await door.questions.mint(question.about, context),
  });
}

/** The question in words. What the workflow says stands apart from what we say, and cannot pose as it. */
function wordsOf({ run, step, files }: PendingApproval): string {
  const shown = files.slice(0, 20).map(({ path, sha256 }) => `  ${oneLine(path)} (${sha256.slice(0, 12)})`);
  const more = files.length > shown.length ? [`  and ${files.length - shown.length} more`] : [];
  return [
    `Run ${oneLine(run)} waits for your decision at step "${oneLine(step.id)}":`,
    clip(visible(step.question ?? ""), 2000)
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n"),
    ...(shown.length > 0 ? ["Files that you decide about, as they are now:", ...shown, ...more] : []),
  ].join("\n");
}

async function record(
  { run, step }: PendingApproval,
  { decision, option, reason }: Reply,
  call: ToolRequest,
) {
  const approved = decision === "approve";
  const by = { by: "person", identity: `asked by ${clientName(call)}` } as const;
  const { decision: made } = await answer(call.project, { run, approved, step: step.id, option, reason, by });
  return { decided: true, approved, option: made.option ?? null, reason: made.reason ?? null };
}

function cannotAsk({ run, step }: PendingApproval): CheckpointError {
  return new CheckpointError(
    "refused",
    `Step "${step.id}" of run "${run}" needs a person's decision, and this client cannot ask for one.`,
    {
      hint: `checkpoint runs show ${run}\nThe person decides in a terminal of their own, with the command approve.`,
      details: { run, step: step.id },
    },
  );
}
