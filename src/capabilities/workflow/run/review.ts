import type { Json } from "../../../core/objects/json.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import type { Step } from "../definition/types.ts";
import { stateOf, type Run } from "./run-state.ts";

/** The result of a review. Who disagreed, and why, is kept in any case. */
export function reviewOutcome(
  { quorum, reviewers }: NonNullable<Step["review"]>,
  run: Run,
): { status: "completed" | "failed"; result: Json; reason?: string } {
  const opinions = reviewers.map((id) => opinionOf(id, run));
  const approved = opinions.filter(({ verdict }) => verdict === "approve").map(({ reviewer }) => reviewer);
  const others = (wanted: "reject" | "abstain") =>
    opinions
      .filter(({ verdict }) => verdict === wanted)
      .map(({ reviewer, reason }) => ({ reviewer, reason }));
  const dissent = others("reject");
  const abstained = others("abstain");
  const result: Json = { approved, dissent, abstained, quorum };
  if (approved.length >= quorum) return { status: "completed", result };
  const against = [...dissent, ...abstained].map(
    ({ reviewer, reason }) => `${reviewer}${reason ? ` (${reason})` : ""}`,
  );
  const reason = `${approved.length} of ${quorum} approvals; not: ${against.join(", ")}`;
  return { status: "failed", result, reason };
}

interface ReviewOpinion {
  readonly reviewer: string;
  readonly verdict: "approve" | "reject" | "abstain";
  readonly reason: string | null;
}

/**
 * A reviewer answers by its result, `{verdict, reason}`; without one, ending well is an approval. Any other verdict
 * is an abstention: what was not clearly approved must not pass as approved.
 */
export function opinionOf(id: string, run: Run): ReviewOpinion {
  const reviewer = id.slice(id.lastIndexOf("/") + 1);
  const { status, result, reason = null } = stateOf(run, id);
  if (status !== "completed") return { reviewer, verdict: "abstain", reason };
  const answer = isRecord(result) ? result : {};
  const why = typeof answer["reason"] === "string" ? answer["reason"] : null;
  const { verdict } = answer;
  if (verdict === "reject" || answer["approved"] === false)
    return { reviewer, verdict: "reject", reason: why };
  if (verdict === undefined || verdict === "approve") return { reviewer, verdict: "approve", reason: why };
  const words = `its verdict ${JSON.stringify(verdict)} is neither "approve" nor "reject"`;
  return { reviewer, verdict: "abstain", reason: why === null ? words : `${words}: ${why}` };
}
