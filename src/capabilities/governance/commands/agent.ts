import * as verbs from "../verbs/agents.ts";
import type { DecreeResult } from "../verbs/authority.ts";
import { TIER_NAMES } from "../policy/policy.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { GovernanceCommand } from "../verbs.ts";
import { signingBy, tierOf } from "./signing.ts";
import type { Output } from "../../../work/terminal/output.ts";

export const agentList: GovernanceCommand<"agent list"> = async ({ project }, _options, output) => {
  const agents = await verbs.agentList(project);
  output.list({ agents }, agents.map(rowOf), "No agent yet: checkpoint agent register NAME");
};

function rowOf({ agent: name, tier, is_revoked, actions, violations }: verbs.AgentReport): string[] {
  const standing = is_revoked ? "revoked" : `T${tier} ${TIER_NAMES[tier]}`;
  return [oneLine(name), standing, `${actions} actions`, `${violations} violations`];
}

export const agentRegister: GovernanceCommand<"agent register"> = async (context, options, output) => {
  const registered = await verbs.agentRegister(context.project, options.name);
  output.message("This token is shown only once. Pass it to this agent alone, as $CHECKPOINT_AGENT_TOKEN:");
  output.result(registered, registered.token);
};

export const agentShow: GovernanceCommand<"agent show"> = async (context, options, output) => {
  show(await verbs.agentShow(context.project, options.name), output);
};

function show(report: verbs.AgentReport, output: Output): void {
  const { agent: name, is_registered, is_revoked, clean_actions, violations, since, tier } = report;
  output.result(report, () =>
    [
      `${oneLine(name)}  ${is_revoked ? output.style.red("revoked") : `T${tier} ${TIER_NAMES[tier]}`}`,
      `  since ${since}; ${report.actions} actions, ${clean_actions} since the last of ${violations} violations`,
      `  ${is_registered ? "registered: its token shows that it is this agent" : "not registered: T1 is the most"}`,
    ].join("\n"),
  );
}

const raising =
  <Name extends "agent promote" | "agent restore">(
    raise: typeof verbs.agentPromote,
  ): GovernanceCommand<Name> =>
  async (context, options, output) => {
    const input = { agent: options.name, to: tierOf(options.to) };
    const done = await raise(context.project, input, signingBy(context, options, output));
    const { agent: report, ...said } = done;
    decreed(said, output, { agent: report }, `${oneLine(report.agent)} is at T${report.tier}.`);
  };

export const agentPromote: GovernanceCommand<"agent promote"> = raising(verbs.agentPromote);
export const agentRestore: GovernanceCommand<"agent restore"> = raising(verbs.agentRestore);

/** What the authority said, or what somebody else should sign: then that is all of the output. */
export function decreed(
  { entry, unsigned }: DecreeResult,
  output: Output,
  more: object,
  words: string,
): void {
  if (unsigned === null) return output.result({ entry, unsigned, ...more }, words);
  output.message("To sign it: checkpoint authority sign FILE, then: checkpoint authority submit FILE");
  output.result({ entry, unsigned, ...more }, () => JSON.stringify(unsigned, null, 2));
}

export const agentDemote: GovernanceCommand<"agent demote"> = async (context, options, output) => {
  const { name, reason = "" } = options;
  show(await verbs.agentDemote(context.project, { agent: name, to: tierOf(options.to), reason }), output);
};

export const agentRevoke: GovernanceCommand<"agent revoke"> = async (context, options, output) => {
  const { name, reason = "" } = options;
  const report = await verbs.agentRevoke(context.project, { agent: name, reason });
  output.message(
    "Keep the ledger's head elsewhere, so that this cannot be taken back: checkpoint ledger anchor",
  );
  show(report, output);
};

export const agentApprove: GovernanceCommand<"agent approve"> = async (context, options, output) => {
  const signing = signingBy(context, options, output);
  const { request, plan } = options;
  const seen = plan === undefined ? undefined : { plan, cwd: context.cwd };
  const done = await verbs.agentApprove(context.project, request, signing, seen);
  decreed(done, output, {}, `Approved, once, within a day: ${request}`);
};
