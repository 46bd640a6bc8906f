import * as verbs from "../../project/governance/agents.ts";
import type { Decreed } from "../../project/governance/authority.ts";
import { TIER_NAMES } from "../../governance/policy/policy.ts";
import { oneLine } from "../../text/visible.ts";
import { table } from "../columns.ts";
import type { CommandOf } from "../command.ts";
import { signingBy, tierOf } from "../governance/signing.ts";
import type { Output } from "../output.ts";

/** List the agents that the ledger knows, with their tiers */
export const agentList: CommandOf<"agent list"> = async ({ project }, _options, output) => {
  const agents = await verbs.agentList(project);
  if (agents.length === 0) output.message("No agent yet: checkpoint agent register NAME");
  output.result({ agents }, () => (agents.length === 0 ? "" : table(agents.map(rowOf), output.columns)));
};

function rowOf({ agent: name, tier, is_revoked, actions, violations }: verbs.AgentReport): string[] {
  const standing = is_revoked ? "revoked" : `T${tier} ${TIER_NAMES[tier]}`;
  return [oneLine(name), standing, `${actions} actions`, `${violations} violations`];
}

/** Register an agent at T0, and print the token that shows that it is this one */
export const agentRegister: CommandOf<"agent register"> = async (context, options, output) => {
  const registered = await verbs.agentRegister(context.project, options.name);
  output.message("This token is shown only once. Pass it to this agent alone, as $CHECKPOINT_AGENT_TOKEN:");
  output.result(registered, registered.token);
};

/** Show an agent: its tier, and what it is based on */
export const agentShow: CommandOf<"agent show"> = async (context, options, output) => {
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

/** Raise an agent, by the authority's signature */
export const agentPromote: CommandOf<"agent promote"> = async (context, options, output) => {
  const input = { agent: options.name, to: tierOf(options.to) };
  const done = await verbs.agentPromote(context.project, input, signingBy(context, options, output));
  raised(done, output);
};

/** Let a revoked agent act again, by the authority's signature */
export const agentRestore: CommandOf<"agent restore"> = async (context, options, output) => {
  const input = { agent: options.name, to: tierOf(options.to) };
  const done = await verbs.agentRestore(context.project, input, signingBy(context, options, output));
  raised(done, output);
};

function raised({ agent: report, ...said }: verbs.RaisedAgent, output: Output): void {
  decreed(said, output, { agent: report }, `${oneLine(report.agent)} is at T${report.tier}.`);
}

/** What the authority said, or what somebody else should sign: then that is all of the output. */
export function decreed({ entry, unsigned }: Decreed, output: Output, more: object, words: string): void {
  if (unsigned === null) return output.result({ entry, unsigned, ...more }, words);
  output.message("To sign it: checkpoint authority sign FILE, then: checkpoint authority submit FILE");
  output.result({ entry, unsigned, ...more }, () => JSON.stringify(unsigned, null, 2));
}

/** Lower an agent's tier */
export const agentDemote: CommandOf<"agent demote"> = async (context, options, output) => {
  const { name, reason = "" } = options;
  show(await verbs.agentDemote(context.project, { agent: name, to: tierOf(options.to), reason }), output);
};

/** Take all permission from an agent, at once */
export const agentRevoke: CommandOf<"agent revoke"> = async (context, options, output) => {
  const { name, reason = "" } = options;
  const report = await verbs.agentRevoke(context.project, { agent: name, reason });
  output.message(
    "Keep the ledger's head elsewhere, so that nobody can take this back: checkpoint ledger anchor",
  );
  show(report, output);
};

/** Approve what an agent asked for, for one use within a day */
export const agentApprove: CommandOf<"agent approve"> = async (context, options, output) => {
  const signing = signingBy(context, options, output);
  const done = await verbs.agentApprove(context.project, options.request, signing);
  decreed(done, output, {}, `Approved, once, within a day: ${options.request}`);
};
