/** Something that speaks against going on with a run as it is. */
export interface ResumeFinding {
  readonly check:
    | "status"
    | "trust"
    | "lock"
    | "artifacts"
    | "definition"
    | "git"
    | "age"
    | "clock"
    | "order"
    | "integrity";
  readonly severity: "warning" | "blocker";
  readonly message: string;
  /** A command that helps. */
  readonly remedy: string;
}
