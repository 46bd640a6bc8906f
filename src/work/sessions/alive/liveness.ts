import { isAbsolute } from "node:path";
import { formatDuration } from "../../../core/text/duration.ts";
import { statIfAny } from "../../machine/read-bounded.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import type { AgentSession, WorkState } from "../../state/work-state.ts";
import { clientState, type ClientState } from "./known-clients.ts";
import { sessionTrail } from "../session.ts";

/** What a session is doing now, as far as is known, and how that is known. */
export interface Liveness {
  readonly status: "working" | "waiting" | "failed" | "ended" | "died" | "unknown";
  readonly known: string;
  /** Whether its client's process still runs. */
  readonly client: ClientState;
}

/** No client is silent for longer in the middle of work: tools time out, and models answer. */
const SILENCE_MS = 30 * 60_000;

/** Judges the session of a checkpoint. `folder` holds the store. */
export async function livenessOf(
  found: Checkpoint<WorkState>,
  { folder, now }: { readonly folder: string; readonly now: Date },
): Promise<Liveness> {
  const { session } = found.state;
  const { id } = session ?? {};
  // A fork of a session's trail still names the session, but is not that session.
  const isItsOwn = id !== undefined && `${found.trail}/`.startsWith(`${sessionTrail(id)}/`);
  const client = isItsOwn ? await clientState(folder, id) : "unknown";
  return { ...judge(session, now.getTime() - lastSeen(found).getTime(), client), client };
}

/**
 * Judges by the client's last event and by its process. A killed client sends nothing; so if the process is unknown or
 * uncertain, silence in the middle of work is the only sign.
 */
function judge(
  { status, error }: Partial<AgentSession> = {},
  silentMs: number,
  client: ClientState,
): Omit<Liveness, "client"> {
  if (status === "ended") return { status: "ended", known: "its client said that it ended" };
  if (status === "failed")
    return { status: "failed", known: `its client reported ${error ?? "an error"} and stopped` };
  if (status === "idle") {
    const finished = "it finished its turn";
    if (client === "gone") return { status: "ended", known: `${finished}, and its client no longer runs` };
    if (client === "runs") return { status: "waiting", known: `${finished}, and its client still runs` };
    return { status: "waiting", known: `${finished}; whether its window is still open is unknown` };
  }
  if (status !== "running") return { status: "unknown", known: "its client never said what it does" };
  const heard = `the last sign of it is ${formatDuration(silentMs)} old`;
  if (client === "gone")
    return { status: "died", known: `its client no longer runs, and ${heard}, in the middle of work` };
  if (client === "runs") return { status: "working", known: `its client runs, and ${heard}` };
  return silentMs <= SILENCE_MS
    ? { status: "working", known: heard }
    : { status: "died", known: `${heard}, in the middle of work: a client that is killed says nothing` };
}

/**
 * The last sign of life of a session. Its transcript grows even when nothing is saved; an import's checkpoint tells when
 * it was imported, not when the session worked.
 */
export function lastSeen({ state, trigger, created_at }: Checkpoint<WorkState>): Date {
  const { session } = state;
  const signs = [
    Date.parse(String(session?.["last_seen_at"])),
    trigger === "import" ? Number.NaN : Date.parse(created_at),
    modifiedAt(session?.transcript_path ?? "")?.getTime() ?? Number.NaN,
  ].filter((time) => !Number.isNaN(time));
  return signs.length === 0 ? new Date(created_at) : new Date(Math.max(...signs));
}

/** When a file was last written; undefined if there is none. */
export function modifiedAt(path: string): Date | undefined {
  const found = isAbsolute(path) ? statIfAny(path) : undefined;
  return found?.isFile() ? found.mtime : undefined;
}
