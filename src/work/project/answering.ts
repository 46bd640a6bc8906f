import { CheckpointError } from "../../core/errors.ts";
import { type AskedAction, gatekeeperOf, isGoverned } from "./gate.ts";
import type { Project } from "./project.ts";

/** What is answered: a question of a run, or a request that the gate recorded. */
export interface AnsweredQuestion {
  readonly action: "answer.run" | "answer.request";
  /** The agents that asked, or started what asks: none of them answers. */
  readonly askers: readonly string[];
}

/** A question of a run. The agent that started the run does not answer it. */
export function questionFor({ started_by }: { readonly started_by?: string | null }): AnsweredQuestion {
  return { action: "answer.run", askers: started_by ? [started_by.replace(/^agent:/, "")] : [] };
}

/** Who answers: the project as this person or agent has it, and why an answer is not taken for a person's. */
export interface Answerer {
  readonly project: Project;
  readonly agent: string | undefined;
  readonly notPerson?: string | undefined;
}

/**
 * Who answers. An agent that is named is that agent. A person is taken for one, except in the shell of an agent client, where
 * only a terminal tells them apart; under one user id that is evidence, and no proof.
 */
export async function answererOf(project: Project): Promise<Answerer> {
  const { actor, env } = project;
  const { agentId, signature } = actor;
  if (agentId !== undefined) return { project, agent: agentId };
  if (actor.isAtTerminal?.()) return asPerson(project);
  const { clientAbove, clientOfEnvironment } = await import("../clients/find-client.ts");
  const parentPid = actor.parentPid?.();
  const client = clientOfEnvironment(env) ?? (parentPid === undefined ? undefined : clientAbove(parentPid));
  if (client === undefined && signature === "person") return asPerson(project);
  const agent = client?.id ?? signature.replace(/^agent:/, "");
  const shell = client === undefined ? agent : `the shell of ${client.product}`;
  const own = { ...actor, agentId: agent, signature: `agent:${agent}` };
  const notPerson = `a person answers it, and from ${shell} that needs a terminal`;
  return { project: { ...project, actor: own }, agent, notPerson };
}

/** The project as a person has it whom a door vouches for. */
export function asPerson(project: Project): Answerer {
  const { isAtTerminal, parentPid, tier } = project.actor;
  const actor = { tier, isAtTerminal, parentPid, signature: "person", isPerson: true as const };
  return { project: { ...project, actor }, agent: undefined };
}

/** What the gate is asked for an answer; undefined where nobody governs. */
export async function governedAnswer(
  answerer: Answerer,
  question: AnsweredQuestion,
): Promise<AskedAction | undefined> {
  const { project } = answerer;
  const cairn = await project.stores.open(project, "write", null);
  if (!(await isGoverned(project, cairn))) return undefined;
  return (await gatekeeperOf(project)).askAnswer(answerer, cairn, question);
}

/** The same. Where nobody governs, an agent is refused as the gate would refuse it. */
export async function admitAnswer(
  answerer: Answerer,
  question: AnsweredQuestion,
): Promise<AskedAction | undefined> {
  const admission = await governedAnswer(answerer, question);
  const why = whyNotUngoverned(answerer);
  if (admission !== undefined || why === undefined) return admission;
  throw new CheckpointError("refused", `${answerer.agent} may not answer: ${why}.`, {
    hint: "Answer in a terminal of your own, or in the page: checkpoint ui",
    details: { refused: true },
  });
}

/** Why who looks could not answer, in words; undefined if it could. Records nothing. */
export async function whyNoAnswer(project: Project, question: AnsweredQuestion): Promise<string | undefined> {
  const answerer = await answererOf(project);
  const cairn = await project.stores.open(project, "read", null);
  if (!(await isGoverned(project, cairn))) return whyNotUngoverned(answerer);
  const keeper = await gatekeeperOf(project);
  return keeper.whyRefused(project, cairn, await keeper.askAnswer(answerer, cairn, question));
}

/** Whether who looks could answer what a run asks now; true for a run that asks nothing. */
export async function mayAnswerRun(
  project: Project,
  run: { readonly status: string; readonly started_by?: string | null },
): Promise<boolean> {
  if (run.status !== "awaiting_approval") return true;
  return (await whyNoAnswer(project, questionFor(run))) === undefined;
}

/** Without a policy that could name an agent, only a person answers. */
const whyNotUngoverned = ({ agent, notPerson }: Answerer) =>
  agent === undefined ? undefined : (notPerson ?? "a person answers it");
