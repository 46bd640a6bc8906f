/** What can be found out about an attempt that ended while no parent watched it. */
export interface AttemptFacts {
  readonly wasStarted: boolean;
  readonly exitStatus?: number | undefined;
  /** The machine has not been rebooted since. */
  readonly isSameBoot: boolean;
  /** The files that the step promises, if any. New: all exist, and none is older than the attempt. */
  readonly outputs: "none" | "missing" | "old" | "new";
  /** Undefined when the step has no `verify`. */
  readonly isVerified?: boolean | undefined;
}

export interface AttemptVerdict {
  readonly verdict: "adopt" | "failed" | "run again";
  readonly reason: string;
}

/** A shell adds this to the number of the signal that ended a command. */
const FIRST_SIGNAL = 128;

/** What becomes of an attempt after a crash: it follows from what is known, never from a guess. Pure. */
export function judge(facts: AttemptFacts): AttemptVerdict {
  const { wasStarted, exitStatus, isSameBoot, outputs, isVerified } = facts;
  // A machine that shuts down ends everything that runs: a crash, not a failure of the step.
  if (exitStatus !== undefined && exitStatus > FIRST_SIGNAL)
    return { verdict: "run again", reason: `it was ended by signal ${exitStatus - FIRST_SIGNAL}` };
  if (exitStatus !== undefined && exitStatus !== 0)
    return { verdict: "failed", reason: `It ended with status ${exitStatus} while no runner watched.` };
  if (isVerified === false) return { verdict: "run again", reason: "its verify does not pass" };
  if (exitStatus === 0) {
    if (outputs === "missing")
      return { verdict: "run again", reason: "it ended well, but its files are not there" };
    // Nobody synced the files before the machine went down, so only a verify can vouch for them.
    if (outputs !== "none" && !isSameBoot && isVerified !== true)
      return { verdict: "run again", reason: "the machine went down before its files were safe" };
    return { verdict: "adopt", reason: "it ended well before the crash" };
  }
  if (outputs === "new" && isVerified === true)
    return { verdict: "adopt", reason: "its files are there and its verify passes" };
  const reason = wasStarted ? "it exited without recording a status" : "it was not started before the crash";
  return { verdict: "run again", reason };
}
