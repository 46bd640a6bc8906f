import { CheckpointError } from "../../../core/errors.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";

/** The error when a run may not be resumed: all blockers, and the first remedy. */
export function refusedBy({ exit_status, findings }: ResumeVerdict, id: string): CheckpointError {
  const blockers = findings.filter(({ severity }) => severity === "blocker");
  const code = exit_status === 4 ? "refused" : exit_status === 5 ? "corrupt" : "conflict";
  const words = blockers.map(({ message }) => message).join("\n");
  return new CheckpointError(code, `Run "${id}" cannot simply be resumed:\n${words}`, {
    hint: blockers[0]?.remedy,
    details: { run: id, findings },
  });
}
