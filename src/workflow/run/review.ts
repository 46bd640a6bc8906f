import type { Json } from "../../objects/json.ts";
import type { Step } from "../definition/types.ts";
import { stateOf, type Run } from "./run-state.ts";

/** What a review came to. Who disagreed, and why, is kept in any case. */
export function reviewOutcome(
  { quorum, reviewers }: NonNullable<Step["review"]>,
  run: Run,
): { status: "completed" | "failed"; result: Json; reason?: string } {
  const opinions = reviewers.map((id) => opinionOf(id, run));
  const approved = opinions.filter(({ verdict }) => verdict === "approve").map(({ reviewer }) => reviewer);
  const dissent = opinions
    .filter(({ verdict }) => verdict === "reject")
    .map(({ reviewer, reason }) => ({ reviewer, reason }));
  const abstained = opinions
    .filter(({ verdict }) => verdict === "abstain")
    .map(({ reviewer, reason }) => ({ reviewer, reason }));
  const result: Json = { approved, dissent, abstained, quorum };
  if (approved.length >= quorum) return { status: "completed", result };
  const against = [...dissent, ...abstained].map(
    ({ reviewer, reason }) => `${reviewer}${reason ? ` (${reason})` : ""}`,
  );
  return {
    status: "failed",
    result,
    reason: `${approved.length} of ${quorum} approvals; not: ${against.join(", ")}`,
  };
}

interface Opinion {
  readonly reviewer: string;
  readonly verdict: "approve" | "reject" | "abstain";
  readonly reason: string | null;
}

/**
 * A reviewer says so in its result, `{verdict, reason}`; without one, ending well is an approval. A verdict in other
 * words is none: what was not clearly approved must not pass as approved.
 */
export function opinionOf(id: string, run: Run): Opinion {
  const reviewer = id.slice(id.lastIndexOf("/") + 1);
  const { status, result, reason = null } = stateOf(run, id);
  if (status !== "completed") return { reviewer, verdict: "abstain", reason };
  const said = typeof result === "object" && result !== null && !Array.isArray(result) ? result : {};
  const why = typeof said["reason"] === "string" ? said["reason"] : null;
  const { verdict } = said;
  if (verdict === "reject" || said["approved"] === false) return { reviewer, verdict: "reject", reason: why };
  if (verdict === undefined || verdict === "approve") return { reviewer, verdict: "approve", reason: why };
  const words = `its verdict ${JSON.stringify(verdict)} is neither "approve" nor "reject"`;
  return { reviewer, verdict: "abstain", reason: why === null ? words : `${words}: ${why}` };
}
