import type { Environment } from "../machine/environment.ts";
import type { Cairn } from "../state/cairn.ts";
import type { CommitNotes, CommitOptions, Committed } from "../../core/trails/document.ts";
import type { Trail } from "../../core/trails/trail.ts";
import type { WorkState } from "../state/work-state.ts";
import type { Redactor, RedactorOptions } from "../../core/redaction/redactor.ts";
import type { Reader, Viewpoint } from "./alive/interrupted.ts";
import type { ClientName } from "../clients/clients.ts";
import type { HookEvent } from "./events/hook-event.ts";
import type { Session } from "./session.ts";

/** The project's store, with the project's own way to commit to it: who may write, and what is recorded, is decided there. */
export interface LentStore {
  readonly cairn: Cairn;
  /** Commits a change of a session's state: sessions write in no other way. */
  readonly commit: (change: SessionChange) => Promise<Committed>;
  /** The agent that saves, where the project knows a better name than that of its client. */
  readonly recordedAs: (client: string | undefined) => CommitNotes;
}

interface SessionChange {
  readonly trail: Trail<WorkState>;
  readonly change: (draft: WorkState) => WorkState | void;
  readonly options: CommitOptions;
  /** Whether the event begins a turn: a person's prompt, and all that follows until the next one. */
  readonly beginsTurn: boolean;
}

/** Everything that answering an event takes from the outside. */
export interface SessionContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly now: () => Date;
  /** A random name for this event: saving it a second time, by another route, changes nothing. */
  readonly eventId: string;
  /** The process that started the hook, if each event has its own: the client, or a shell of it. */
  readonly parentPid?: number | undefined;
  /** The client that sends, if known; otherwise the event shows it. */
  readonly client?: ClientName | undefined;
  /** Whether a model could have sent this event by itself, as a call of a tool: then it cannot tell what a person said. */
  readonly isFromModel?: boolean | undefined;
  /** Lends the project's store to a session, creating it if needed. Only the lender closes it: a server keeps it open. */
  readonly withStore: <Result>(
    root: string,
    use: (store: LentStore) => Promise<Result>,
    session: Session,
  ) => Promise<Result>;
  /** Told of each event that belongs to a project, before it is saved. */
  readonly onEvent?: ((event: HookEvent, root: string) => void) | undefined;
  /** Changes that the project's configuration makes to the built-in rules for secrets. */
  readonly secrets?: ((root: string) => Promise<RedactorOptions | undefined>) | undefined;
  /** Lines that the briefing about a trail ends with. Never rejects. */
  readonly briefingEnds?: ((root: string, trail: string) => Promise<readonly string[]>) | undefined;
  /** Whether this is the first call with this key, so that a warning is given once. */
  readonly isFirst: (key: string) => boolean;
}

/** The project that an event belongs to, with its open store. */
export interface EventProject extends LentStore {
  readonly root: string;
  /** Holds the store. */
  readonly folder: string;
  readonly now: Date;
  readonly context: SessionContext;
  readonly redactor: Redactor;
}

/** The project as a session sees it that reads the work of another, or its own. */
export function viewpointOf({ context, redactor, ...project }: EventProject, reader: Reader): Viewpoint {
  return { ...project, env: context.env, reader, redactor: async () => redactor };
}

/** What the client gets. */
export interface HookAnswer {
  /** Exactly what belongs on stdout: JSON or text, as this client wants it; empty for nothing. */
  readonly stdout: string;
  /** A problem that the user must see once: for stderr. */
  readonly warning?: string | undefined;
  /** What is to be done once the client has its answer. It never rejects. */
  readonly after?: (() => Promise<void>) | undefined;
}
