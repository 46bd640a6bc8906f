/** What a session is doing now, as far as anybody can tell, and how that is known. */
export interface Liveness {
  readonly status: "working" | "waiting" | "failed" | "ended" | "died" | "unknown";
  readonly known: string;
}

/** Longer than this no client is silent in the middle of work: tools time out, and models answer. */
const SILENCE_MS = 30 * 60_000;

/**
 * Judges by what the client said last. A client that is killed says nothing, so silence in the middle of work is the
 * only sign of it.
 */
export function judgeLiveness(
  said: { readonly status: string | undefined; readonly error: string | undefined },
  silentMs: number,
): Liveness {
  const { status, error } = said;
  if (status === "ended") return { status: "ended", known: "its client said that it ended" };
  if (status === "failed")
    return { status: "failed", known: `its client reported ${error ?? "an error"} and stopped` };
  if (status === "idle")
    return {
      status: "waiting",
      known: "it finished its turn; whether its window is still open is not known",
    };
  if (status !== "running") return { status: "unknown", known: "nobody said what it does" };
  const heard = `the last sign of it is ${duration(silentMs)} old`;
  return silentMs <= SILENCE_MS
    ? { status: "working", known: heard }
    : { status: "died", known: `${heard}, in the middle of work: a client that is killed says nothing` };
}

function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}
