import type { Step } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { artifactsBefore, digestOf } from "../run/approval.ts";
import { stepsWith, type ApprovalDecision, type Run } from "../run/run-state.ts";
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

/** The questions that a program is asked, each once by one runner. */
export class Questions {
  readonly #context: WorkflowContext;
  readonly #onApproval: OnApproval | undefined;
  readonly #wake: () => void;
  readonly #asked = new Set<string>();
  readonly #answers: { step: Step; decision: ApprovalDecision }[] = [];
  #open = 0;
  #failure: Error | undefined;

  constructor(context: WorkflowContext, onApproval: OnApproval | undefined, wake: () => void) {
    this.#context = context;
    this.#onApproval = onApproval;
    this.#wake = wake;
  }

  /** How many have not been answered yet. */
  get open(): number {
    return this.#open;
  }

  /** How many answers have not been taken yet. */
  get answered(): number {
    return this.#answers.length;
  }

  ask(run: Run): void {
    if (this.#onApproval === undefined) return;
    for (const step of stepsWith(run, "awaiting_approval")) {
      if (this.#asked.has(step.id)) continue;
      this.#asked.add(step.id);
      this.#open++;
      void this.#askOne(run, step, this.#onApproval);
    }
  }

  take(): { step: Step; decision: ApprovalDecision }[] {
    return this.#answers.splice(0);
  }

  /** Rethrows what the program threw when it was asked. The run stays as it is. */
  throwIfFailed(): void {
    if (this.#failure) throw this.#failure;
  }

  async #askOne(run: Run, step: Step, onApproval: OnApproval): Promise<void> {
    try {
      const answer = await onApproval({
        run,
        step,
        question: step.question ?? step.id,
        options: step.options ?? [],
      });
      if (answer === undefined) return;
      const digest = digestOf(await filesNow(this.#context, artifactsBefore(run, step)));
      this.#answers.push({ step, decision: { ...answer, at: this.#context.now().toISOString(), digest } });
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#open--;
      this.#wake();
    }
  }
}
