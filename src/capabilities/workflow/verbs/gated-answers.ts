import { isCheckpointError } from "../../../core/errors.ts";
import type { OnApproval } from "../runner/questions.ts";
import { answererOf, governedAnswer, questionFor } from "../../../work/project/answering.ts";
import { gatekeeperOf } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { deciderOf } from "./decider.ts";

/**
 * The same way to ask. Where the project is governed, the answer is recorded as one of who runs this, and the question
 * stays open if the gate refuses it.
 */
export function gatedAnswers(project: Project, ask: OnApproval): OnApproval {
  return async (question) => {
    const answerer = await answererOf(project);
    const admission = await governedAnswer(answerer, questionFor(question.run));
    const answer = await ask(question);
    if (admission === undefined || answer === undefined) return answer;
    const keeper = await gatekeeperOf(project);
    const cairn = await project.stores.open(project, "write", null);
    const isRefused = await keeper.act(project, cairn, admission).then(() => false, isRefusal);
    if (isRefused) return undefined;
    return answerer.agent === undefined ? answer : { ...answer, ...deciderOf(answerer) };
  };
}

function isRefusal(error: unknown): boolean {
  if (isCheckpointError(error, "refused")) return true;
  throw error;
}
