import {
  approval,
  findAgent,
  listAgents,
  lowerAgent,
  promotion,
  registerAgent,
  type AgentReport,
} from "../gate/agents.ts";
import type { Governance } from "../gate/governance.ts";
import { identifyCommand } from "../exec/identify-command.ts";
import { writtenPlanDigest } from "../exec/plan-digest.ts";
import type { Tier } from "../policy/policy.ts";
import { PERSON } from "../state/standing.ts";
import type { EntryOf } from "../state/entry.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { Project } from "../../../work/project/project.ts";
import { sayAsAuthority, type DecreeResult, type Signing } from "./authority.ts";
import { admissionFor, answerAdmission } from "../project-gate/governed-cairn.ts";
import { answererOf } from "../../../work/project/answering.ts";
import { openGovernance } from "../project-gate/open-governance.ts";
import { shareAgents } from "../project-gate/share-agents.ts";

export type { AgentReport } from "../gate/agents.ts";

/** Registers an agent at T0. Its token is returned once, and kept nowhere. */
export async function agentRegister(project: Project, agent: string) {
  const governance = await openGovernance(project, "create");
  const admission = await admissionFor(project, governance, { action: "agent.register" });
  return registerAgent(governance, admission, agent);
}

export async function agentShow(project: Project, agent: string): Promise<AgentReport> {
  return findAgent(await openGovernance(project, "read"), agent);
}

export async function agentList(project: Project): Promise<AgentReport[]> {
  const governance = await openGovernance(project, "read");
  // A cache that lost them has them again.
  await shareAgents(project, governance.ledger);
  return listAgents(governance);
}

export interface RaisedAgent extends DecreeResult {
  readonly agent: AgentReport;
}

interface NewTier {
  readonly agent: string;
  readonly to: Tier;
}

/** Raises an agent, by the authority's word. */
export async function agentPromote(project: Project, { agent, to }: NewTier, signing: Signing) {
  const governance = await openGovernance(project);
  return raise(governance, agent, promotion(governance, agent, to), signing);
}

/** Lets a revoked agent act again, by the authority's word. */
export async function agentRestore(project: Project, { agent, to }: NewTier, signing: Signing) {
  const governance = await openGovernance(project);
  findAgent(governance, agent);
  return raise(governance, agent, { type: "restoration", agent, to }, signing);
}

async function raise(
  governance: Governance,
  agent: string,
  said: JsonObject,
  signing: Signing,
): Promise<RaisedAgent> {
  const decree = await sayAsAuthority(governance, said, signing);
  return { ...decree, agent: findAgent(governance, agent) };
}

/** Takes tiers away from an agent. */
export async function agentDemote(project: Project, lowered: NewTier & { readonly reason: string }) {
  return lower(project, "agent.demote", lowered);
}

/** Takes all permission away from an agent, at once and in all processes. */
export async function agentRevoke(project: Project, lowered: { agent: string; reason: string }) {
  return lower(project, "agent.revoke", lowered);
}

async function lower(project: Project, action: string, lowered: Parameters<typeof lowerAgent>[2]) {
  const governance = await openGovernance(project);
  return lowerAgent(governance, await admissionFor(project, governance, { action }), lowered);
}

/** The plan of terraform that somebody looked at, and the folder where it is to be applied. */
export interface SeenPlan {
  readonly plan: string;
  readonly cwd: string;
}

/** Approves what an agent asked for. What needs T2 or more, only the authority can approve. */
export async function agentApprove(
  project: Project,
  request: string,
  signing: Signing,
  seen?: SeenPlan,
): Promise<DecreeResult> {
  const governance = await openGovernance(project);
  const { entry, needsAuthority } = approval(governance, request);
  if (seen !== undefined) assertAskedFor(project, seen, entry);
  const answerer = await answererOf(project);
  const question = { action: "answer.request", askers: [entry.agent] } as const;
  const admission = await answerAdmission(answerer, governance, question);
  // The authority's key says who signs, but not who typed.
  if (needsAuthority && answerer.agent !== undefined) await governance.act(admission);
  if (needsAuthority) return sayAsAuthority(governance, entry as unknown as JsonObject, signing);
  const approved = { ...entry, by: answerer.agent ?? PERSON };
  await governance.act({ ...admission, entries: () => [approved] });
  return { entry: approved, unsigned: null };
}

/** An agent could show one plan and ask for another, so what was looked at is compared with what was asked for. */
function assertAskedFor(
  { env }: Project,
  { plan, cwd }: SeenPlan,
  { digest, request }: EntryOf<"approval">,
): void {
  const isAskedFor = ["terraform", "tofu"].some((tool) => {
    const argv = [tool, "apply", plan];
    return writtenPlanDigest({ argv, cwd, env }, identifyCommand(argv)) === (digest ?? null);
  });
  if (isAskedFor) return;
  throw new CheckpointError("refused", `"${plan}" is not the plan that ${request} asks for.`, {
    hint: "The folder, the program and the TF_ variables must also be those that the agent asked with.",
    details: { refused: true, request, plan },
  });
}
