import { isCheckpointError } from "../../../core/errors.ts";
import type { Cairn } from "../../../work/state/cairn.ts";
import type { AskedAction, Gatekeeper } from "../../../work/project/gate.ts";
import type { Admission } from "../gate/governance.ts";
import { admissionFor, answerAdmission, governedCairn } from "./governed-cairn.ts";
import { governanceOf } from "./open-governance.ts";
import { withoutOwnKeys } from "./secrets.ts";

/** The gate, as the project asks it. What only some projects need is loaded when they do. */
export const gatekeeper: Gatekeeper = {
  govern: (project, cairn, action) => governedCairn(project, cairn, admissionOf(action)),

  async act(project, cairn, action) {
    const governance = await governanceOf(project, cairn);
    const asked = admissionOf(action);
    await governance.act(
      typeof asked === "string" ? await admissionFor(project, governance, { action: asked }) : asked,
    );
  },

  askAnswer: async (answerer, cairn, question) =>
    answerAdmission(answerer, await governanceOf(answerer.project, cairn), question),

  async whyRefused(project, cairn, asked) {
    const governance = await governanceOf(project, cairn);
    const { decision, reasons } = await governance.ask(asked as Admission);
    return decision === "allow" ? undefined : reasons.join("; ");
  },

  async permitStep(project, step, options) {
    const { gateStep } = await import("./gate-step.ts");
    return gateStep(project, step, options);
  },

  withoutOwnKeys,

  async answerToolCall(world, payload, asker) {
    const { gateTool } = await import("./gate-tool.ts");
    return gateTool(world, payload, asker);
  },

  async verify(project, cairn) {
    const { checkKeys } = await import("../verbs/check-keys.ts");
    const { unfinishedStarts } = await import("../verbs/unfinished.ts");
    await checkKeys(project);
    return { unfinished: await unfinishedStarts(project), ...(await recordedIn(cairn)) };
  },
};

/** An action that was asked about before is what this gate itself made. */
const admissionOf = (action: string | AskedAction) => action as string | Admission;

/** A chain that is broken is damage, which is reported as such. */
async function recordedIn({ store }: Cairn) {
  const { findUnrecorded } = await import("../gate/find-unrecorded.ts");
  return findUnrecorded(store).catch((error: unknown) => {
    if (isCheckpointError(error, "corrupt")) return { unrecorded: [], brought: [] };
    throw error;
  });
}
