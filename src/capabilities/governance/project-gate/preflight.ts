import { startWorkspace } from "../../../work/capture/git/git-workspace.ts";
import type { Admission, Governance } from "../gate/governance.ts";
import type { GateQuestion } from "../gate/decide.ts";
import type { GateAnswer } from "../gate/refusal.ts";
import { ruleFor } from "../policy/policy.ts";
import { policyOf } from "../state/governance-state.ts";
import type { Project } from "../../../work/project/project.ts";
import { admissionFor } from "./governed-cairn.ts";
import { healthWith } from "./health.ts";
import { openGovernance } from "./open-governance.ts";

/** Asks the gate whether an action would be allowed now. A question that somebody can approve is recorded. */
export async function gate(project: Project, question: GateQuestion): Promise<GateAnswer> {
  const governance = await openGovernance(project, "create");
  return governance.request(await preflight(project, governance, question));
}

/** The question, with what its rules want to be known: only that is looked up. */
export async function preflight(
  project: Project,
  governance: Governance,
  question: GateQuestion,
): Promise<Admission> {
  const policy = policyOf(governance.ledger.state);
  const names = [question.action, ...(question.alias === undefined ? [] : [question.alias])];
  const rules = names.flatMap((name) => ruleFor(policy, name) ?? []);
  const needs = new Set(rules.flatMap(({ needs: named = [] }) => named));
  const isTreeDirty = rules.some((rule) => rule.clean_tree) ? await isDirty(project) : undefined;
  const unavailable = needs.size === 0 ? undefined : await unavailableOf(project, governance, needs);
  const admission = await admissionFor(project, governance, question);
  return { ...admission, facts: { isTreeDirty, unavailable } };
}

async function isDirty({ root, env }: Project): Promise<boolean> {
  const { workspace } = await startWorkspace({ root, env }).finish();
  // What git cannot say is not clean.
  return workspace?.dirty !== false;
}

/** What is needed but not declared cannot be checked, so it is not available. */
async function unavailableOf(
  project: Project,
  governance: Governance,
  needs: ReadonlySet<string>,
): Promise<string[]> {
  const { dependencies } = await healthWith(project, governance, needs);
  const healthy = dependencies.filter(({ status }) => status === "available").map(({ name }) => name);
  return [...needs].filter((name) => !healthy.includes(name));
}
