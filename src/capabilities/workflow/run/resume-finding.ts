/** A reason not to resume a run, or a warning to consider first. */
export interface ResumeFinding {
  readonly check: ResumeCheckName;
  readonly severity: "warning" | "blocker";
  readonly message: string;
  /** A command that helps. */
  readonly remedy: string;
}

type ResumeCheckName =
  | "status"
  | "trust"
  | "lock"
  | "artifacts"
  | "definition"
  | "git"
  | "age"
  | "clock"
  | "order"
  | "import"
  | "question"
  | "integrity";

export function warning(check: ResumeCheckName, message: string, remedy: string): ResumeFinding {
  return { check, severity: "warning", message, remedy };
}

export function blocker(check: ResumeCheckName, message: string, remedy: string): ResumeFinding {
  return { check, severity: "blocker", message, remedy };
}
