import type { EventKind, HookEvent } from "../../sessions/events/hook-event.ts";
import type { Project } from "../project.ts";

/** What a capability does about events of agents' sessions, beside what every session saves. */
export interface SessionEvents {
  /** Whether it is told of an event. Asked of every event, so it loads nothing. */
  readonly wants: (event: HeardEvent) => boolean;
  readonly load: () => Promise<SessionListener>;
}

interface HeardEvent {
  readonly moment: EventKind | "before-tool";
  /** Whether a server hears it, which has time once it has answered; otherwise the client waits for the hook's process. */
  readonly isServed: boolean;
  /** What a shell is about to run. */
  readonly command?: string | undefined;
}

/** A call of a tool that is about to happen. */
interface ComingCall extends Pick<HookEvent, "client" | "sessionId"> {
  readonly tool: string;
  readonly command: string;
}

export interface SessionListener {
  /** The event was saved and answered. What fails here fails no agent: it is told to the notices. */
  readonly after: (project: Project, hook: HookEvent, heard: Pick<HeardEvent, "isServed">) => Promise<void>;
  /** The client waits for it. */
  readonly before: (project: Project, call: ComingCall) => Promise<void>;
}
