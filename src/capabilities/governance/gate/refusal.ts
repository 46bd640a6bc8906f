import { CheckpointError } from "../../../core/errors.ts";
import { isAnswer } from "../policy/policy.ts";
import type { GateDecision } from "./decide.ts";
import type { Standing } from "../state/standing.ts";

export interface GateAnswer extends GateDecision, Pick<Standing, "agent" | "tier" | "attested"> {
  readonly action: string;
  /** What can be approved, where somebody has to be asked. */
  readonly request?: string;
}

export function refusal(answer: GateAnswer): CheckpointError {
  const { agent, action, reasons, decision, request } = answer;
  const what = decision === "ask" ? "needs approval for" : "may not do";
  return new CheckpointError("refused", `${agent} ${what} "${action}": ${reasons.join("; ")}.`, {
    hint: isAnswer(action)
      ? "Answer in a terminal of your own, or in the page: checkpoint ui"
      : request === undefined
        ? `checkpoint policy explain ${action}`
        : `The person who holds the authority's key can approve it: checkpoint agent approve ${request}`,
    details: { refused: true, gate: answer },
  });
}

/** The gate's answer in an error that it threw. */
export function refusalOf(error: unknown): GateAnswer | undefined {
  return (error as Partial<CheckpointError> | null)?.details?.["gate"] as GateAnswer | undefined;
}

export function reservedName(agent: string): CheckpointError {
  return new CheckpointError("usage", `An agent cannot be called "${agent}".`, {
    hint: "The ledger uses this name for something else. Choose another one.",
  });
}
