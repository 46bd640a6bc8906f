import { CheckpointError } from "../../core/errors.ts";
import { answererOf } from "../../work/project/answering.ts";
import type { Project } from "../../work/project/project.ts";
import { answer, type AnswerInput } from "../workflow/verbs/answer.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import { openRun } from "../workflow/verbs/open-runs.ts";
import type { Run } from "../workflow/run/run-state.ts";

/** An answer to a question of a run that came from another service, whose signature or token was checked. */
export interface AnswerFrom extends Pick<AnswerInput, "approved" | "step" | "option" | "reason" | "digest"> {
  readonly run: string;
  /** The name that the configuration gives to the account. */
  readonly by: string;
  /** The service, and the account there. */
  readonly account: string;
}

/** The run of exactly this name: the beginning of one could mean another by the time it is read. */
export async function exactRun(project: Project, name: string): Promise<Run> {
  const { workflows, id } = await openRun(project, name, "read", null);
  if (id === name) return readRun(workflows, id);
  throw new CheckpointError("not-found", `There is no run "${name}".`, { hint: "Write its whole name." });
}

/**
 * Answers as the command does, for the person whose account it came from. A process that an agent started vouches for
 * nobody: it could have made up the request, its signature and the list of those who may approve.
 */
export async function answerFrom(project: Project, { by, account, ...input }: AnswerFrom): Promise<string> {
  const { agent } = await answererOf(project);
  if (agent !== undefined)
    throw new CheckpointError("refused", `${agent} started this, and cannot vouch for a person.`, {
      hint: "Start it in a terminal of your own: checkpoint integrations listen",
      details: { refused: true },
    });
  const { id } = await exactRun(project, input.run);
  const { step } = await answer(project, { ...input, run: id, by: { by, identity: `asked by ${account}` } });
  return step;
}
