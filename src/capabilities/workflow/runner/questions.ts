import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { artifactsBefore, digestOfFiles } from "../run/approval.ts";
import type { ApprovalDecision, Run } from "../run/run-state.ts";
import { filesNow } from "./files-now.ts";

/** A question that a program may answer while other steps run. */
export interface ApprovalQuestion {
  readonly run: Run;
  readonly step: Step;
  readonly question: string;
  readonly options: readonly string[];
}

/** What a program answers; the runner adds time and digest. */
export type ApprovalAnswer = Omit<ApprovalDecision, "at" | "digest">;

/** Answers a question, or leaves it open by returning undefined. */
export type OnApproval = (question: ApprovalQuestion) => Promise<ApprovalAnswer | undefined>;

/** What became of a question: a decision about the files as they are now, none, or what the program threw. */
export type ProgramAnswer =
  | { readonly step: Step; readonly decision: ApprovalDecision | undefined }
  | { readonly failure: unknown };

export function approvalQuestion(run: Run, step: Step): ApprovalQuestion {
  const { question = step.id, options = [] } = step;
  return { run, step, question, options };
}

/** Never rejects. */
export async function askProgram(
  context: Pick<WorkflowContext, "root" | "now">,
  run: Run,
  step: Step,
  onApproval: OnApproval,
): Promise<ProgramAnswer> {
  try {
    const answer = await onApproval(approvalQuestion(run, step));
    if (answer === undefined) return { step, decision: undefined };
    const digest = digestOfFiles(await filesNow(context, artifactsBefore(run, step)));
    return { step, decision: { ...answer, at: context.now().toISOString(), digest } };
  } catch (failure) {
    return { failure };
  }
}
