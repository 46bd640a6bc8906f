import { EXIT_STATUS } from "../../../core/errors.ts";
import * as verbs from "../verbs/evidence.ts";
import { oneLine, visible } from "../../../core/text/visible.ts";
import type { GovernanceCommand } from "../verbs.ts";
import { put } from "./ledger.ts";

export const evidenceList: GovernanceCommand<"evidence list"> = async (context, { limit = 20 }, output) => {
  const listed = await verbs.evidenceList(context.project, limit);
  const rows = listed.map(({ id, agent, action, success }) => [
    output.style.yellow(id),
    oneLine(agent),
    oneLine(action),
    success ? "succeeded" : output.style.red("failed"),
  ]);
  output.list({ evidence: listed }, rows, "No evidence yet: checkpoint exec -- COMMAND keeps it.");
};

export const evidenceShow: GovernanceCommand<"evidence show"> = async (context, { id }, output) => {
  const found = await verbs.evidenceShow(context.project, id);
  output.result({ id, evidence: found }, () => visible(JSON.stringify(found, null, 2)));
};

export const evidenceVerify: GovernanceCommand<"evidence verify"> = async (context, { id }, output) => {
  const checked = await verbs.evidenceVerify(context.project, id);
  const wrong = checked.filter(({ problem }) => problem !== undefined);
  output.result({ ok: wrong.length === 0, evidence: checked }, () =>
    wrong.length === 0
      ? `All evidence is as the ledger has it: ${checked.length}.`
      : wrong.map((one) => `${one.id}: ${one.problem}`).join("\n"),
  );
  return wrong.length === 0 ? 0 : EXIT_STATUS.corrupt;
};

export const evidenceExport: GovernanceCommand<"evidence export"> = async (context, options, output) => {
  const archive = await verbs.evidenceExport(context.project, options.id);
  put(options.output, `${JSON.stringify(archive)}\n`, { id: options.id }, output);
};
