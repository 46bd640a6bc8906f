/**
 * `available`: it answers and can be used. `degraded`: it answers, but not as it should. `unavailable`: no answer, or
 * it reports that it cannot serve. `unknown`: it was not probed.
 */
export type DependencyStatus = "available" | "degraded" | "unavailable" | "unknown";

/** What a probe found. The reason is in our words, never in the server's. */
export interface Verdict {
  readonly status: DependencyStatus;
  readonly reason?: string;
}

export const AVAILABLE: Verdict = { status: "available" };

export function degraded(reason: string): Verdict {
  return { status: "degraded", reason };
}

export function unavailable(reason: string): Verdict {
  return { status: "unavailable", reason };
}
