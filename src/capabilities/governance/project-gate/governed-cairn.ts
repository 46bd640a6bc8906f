import { existsSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import { Cairn } from "../../../work/state/cairn.ts";
import { guarding } from "../../../work/state/refuse-governed.ts";
import { readWorkState, type WorkState } from "../../../work/state/work-state.ts";
import type { Admission, GateFinding, Governance } from "../gate/governance.ts";
import type { GateQuestion } from "../gate/decide.ts";
import { digestOf } from "../keys/signature.ts";
import { CAPTURE, MAX_POLICY_BYTES, POLICY_FILE } from "../policy/policy.ts";
import type { LedgerEntry } from "../state/entry.ts";
import { standingOf, type Claimant } from "../state/standing.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import type { AnsweredQuestion, Answerer } from "../../../work/project/answering.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import { gates } from "../../../work/project/gate.ts";
import { governanceOf } from "./open-governance.ts";

/** The same store for one action of who acts: every commit asks the gate. */
export async function governedCairn(
  project: Project,
  cairn: Cairn,
  action: string | Admission,
): Promise<Cairn> {
  const governance = await governanceOf(project, cairn);
  let tasks: (() => readonly LedgerEntry[]) | undefined;
  let beginsTurn = true;
  const asked = typeof action === "string" ? await admissionFor(project, governance, { action }) : action;
  const isCapture = asked.question.action === CAPTURE;
  const recorded = isCapture
    ? { beginsTurn: () => beginsTurn }
    : { entries: () => [...(asked.entries?.() ?? []), ...(tasks?.() ?? [])] };
  const admission = { ...asked, ...recorded };
  const { claimant } = admission;
  const { ledger } = governance;
  const governed = new Cairn(guarding(governance.governed(admission), cairn.store), project.now);
  gates.set(governed, {
    agent: claimant.agent,
    setTurn: (begins) => void (beginsTurn = begins),
    tier: () => standingOf(ledger.state, ledger.storeId, claimant).tier,
    observe: (trail, state) => observe(state, trail, { ledger, agent: claimant.agent, now: project.now() }),
    watchTasks: (trail, state, after) => {
      const before = tasksOf(state);
      const { agent = "person" } = claimant;
      tasks = () =>
        [...tasksOf(after())]
          .filter(([id, { status }]) => !id.includes("#") && before.get(id)?.status !== status)
          .map(([task, seen]) => ({ type: "task", at: ledger.at, agent, trail, task, ...seen }));
    },
  });
  return governed;
}

/** Who acts, as the gate knows it. What is claimed here grants nothing. */
async function claimantOf(project: Project): Promise<Claimant> {
  const { actor } = project;
  const { agent_id, agent_tier } = await settingsOf(project);
  const named = actor.signature.startsWith("agent:") ? actor.signature.slice("agent:".length) : undefined;
  const agent = actor.isPerson ? undefined : (named ?? agent_id);
  const configured = agent === agent_id ? agent_tier : undefined;
  return {
    agent,
    token: actor.token,
    atTerminal: actor.isAtTerminal?.() ?? false,
    claimedTier: actor.tier ?? configured,
  };
}

/** What the gate is asked, with what was found in the project's files. */
export async function admissionFor(
  project: Project,
  { ledger }: Governance,
  question: GateQuestion,
): Promise<Admission> {
  const findings: GateFinding[] = [];
  const unknown = { agent: "unknown" };
  if ((await settingsOf(project)).governance !== true)
    findings.push({ ...unknown, rule: "switched-off", what: "cairn.yaml does not say governance: on" });
  const file = join(project.root, POLICY_FILE);
  // Most projects have none, and every governed verb asks: a failed open costs more than deciding does.
  const { bytes } = existsSync(file) ? readBounded(file, MAX_POLICY_BYTES) : {};
  const digest = bytes === undefined ? undefined : digestOf(bytes);
  if (digest !== undefined && digest !== ledger.state.policy?.file)
    findings.push({
      ...unknown,
      rule: "policy-edited",
      what: `${POLICY_FILE} (${digest.slice(0, 12)}) was not accepted`,
    });
  return { claimant: await claimantOf(project), question, findings };
}

/** What the gate is asked for an answer to a question. */
export async function answerAdmission(
  { project, notPerson }: Answerer,
  governance: Governance,
  { action, askers }: AnsweredQuestion,
): Promise<Admission> {
  return { ...(await admissionFor(project, governance, { action })), facts: { askers, notPerson } };
}

/** Tasks of other trails are named after them, so that they are not taken for this trail's own. */
function observe(
  state: WorkState,
  trail: string,
  { ledger, agent, now }: { ledger: Governance["ledger"]; agent: string | undefined; now: Date },
): void {
  // Once, so that a checkpoint without news has none.
  if (!state.dependencies.some((service) => textOf(service, "name") === LEDGER.name))
    state.dependencies = [...state.dependencies, { ...LEDGER, last_checked: now.toISOString() }];
  const own = Object.values(ledger.state.tasks).filter(
    (task) => task.agent === agent && task.trail !== trail && !task.task.includes("#"),
  );
  const { tasks } = state;
  const kept = tasks.filter((task) => !(textOf(task, "id") ?? "").includes("#"));
  if (own.length === 0 && kept.length === tasks.length) return;
  const borrowed = own.map(({ trail: from, task, subject, status, at }) => ({
    id: `${from}#${task}`,
    subject,
    status,
    owner: agent ?? null,
    blocks: [],
    blocked_by: [],
    at,
    by: `agent:${agent}`,
  }));
  state.tasks = [...kept, ...borrowed] as WorkState["tasks"];
}

const LEDGER = { name: "ledger", type: "ledger", status: "available", endpoint: null, latency_ms: null };

interface SeenTask {
  readonly status: string;
  readonly subject: string;
}

function tasksOf(state: WorkState): Map<string, SeenTask> {
  return new Map(readWorkState(state).tasks.map(({ id, status, subject }) => [id, { status, subject }]));
}
