import type { Environment } from "../capture/environment.ts";
import type { Cairn } from "../checkpoints/cairn.ts";
import type { RedactorOptions } from "../redaction/redactor.ts";

/** The agent clients whose events are understood. */
export const CLIENTS = ["claude", "codex", "gemini", "opencode"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** What an event is answered with: the world is handed in, nothing is taken from anywhere else. */
export interface SessionContext {
  /** The environment of the client's hook. */
  readonly env: Environment;
  /** The folder that is meant when an event does not name one. */
  readonly cwd: string;
  readonly now: () => Date;
  /** The process that runs the hook, where each event has one of its own: its client's, or a shell of that. */
  readonly parentPid?: number | undefined;
  /** Which client sends, where that is known; otherwise it is recognised by what it sends. */
  readonly client?: ClientName | undefined;
  /** Which event it is, for clients that do not say. */
  readonly event?: string | undefined;
  /**
   * Lends the project's store, made if there is none. A server keeps it open, a command opens and closes it;
   * so whoever borrows it never closes it.
   */
  readonly withStore: <Result>(root: string, use: (cairn: Cairn) => Promise<Result>) => Promise<Result>;
  /** The secrets that the project's configuration adds to the built-in ones, or takes from them. */
  readonly secrets?: ((root: string) => Promise<RedactorOptions | undefined>) | undefined;
  /** Whether this is the first call with this key: what is said once must be remembered somewhere. */
  readonly isFirst: (key: string) => boolean;
}

/** What the client gets. */
export interface HookAnswer {
  /** Exactly what belongs on stdout: JSON or text, as this client wants it; empty for nothing. */
  readonly stdout: string;
  /** Something that went wrong and that somebody must see, once: for stderr. */
  readonly warning?: string | undefined;
}
