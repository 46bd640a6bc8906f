import type { JsonObject } from "../../../core/objects/json.ts";

export type BreakerState = "closed" | "open" | "half-open";

/** One dependency's circuit breaker, as the processes of a store share it. */
export interface Breaker {
  /** Runs a probe unless the breaker is open. A probe says whether it succeeded. */
  run(probe: () => Promise<boolean>): Promise<void>;
  now(): { readonly state: BreakerState; readonly stored: JsonObject };
}

/** Failures in a row that open a breaker, and how long it stays open. */
const FAILURES = 3;
const OPEN_MS = 30_000;

/** Opens a breaker in the state that it was stored in. */
export async function openBreaker(stored: unknown, now: () => number): Promise<Breaker> {
  const { circuitBreaker, CircuitState, ConsecutiveBreaker, handleAll } = await import("cockatiel");
  const policy = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(FAILURES),
    halfOpenAfter: OPEN_MS,
    ...(isStored(stored, now()) ? { initialState: stored } : {}),
  });
  return {
    async run(probe) {
      const attempt = policy.execute(async () => {
        if (!(await probe())) throw new Error("unavailable");
      });
      // Whether it failed, or was not tried, the breaker knows.
      await attempt.catch(() => undefined);
    },
    now() {
      const state = policy.toJSON() as JsonObject;
      if (policy.state === CircuitState.Closed) return { state: "closed", stored: state };
      // It is half open once it has waited long enough to be tried again.
      const isDue = isStored(state, now()) && now() - (state.ownState.openedAt ?? 0) >= OPEN_MS;
      return { state: isDue ? "half-open" : "open", stored: state };
    },
  };
}

interface Stored {
  readonly ownState: { readonly value: number; readonly openedAt?: number };
  readonly breakerState: number;
}

/**
 * The state comes out of the store, where anybody with the account can write: what is not one counts as none. Nor does one
 * that opens in the future, as after the clock was set back: it would stay open until then.
 */
function isStored(value: unknown, now: number): value is Stored {
  const { ownState, breakerState } = (value ?? {}) as Partial<Stored>;
  const { value: state, openedAt = 0 } = ownState ?? { value: -1 };
  const isNumeric = [state, openedAt, breakerState].every(Number.isFinite);
  return isNumeric && (state === 0 || state === 1) && openedAt <= now;
}
