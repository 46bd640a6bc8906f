/** The parts of the Claude Agent SDK's types that a session store is made of, so that nothing has to be installed to build it. */

export interface SessionKey {
  projectKey: string;
  sessionId: string;
  /** Set for transcripts of sub-agents. */
  subpath?: string;
}

export interface SessionStoreEntry {
  type: string;
  uuid?: string;
  timestamp?: string;
  [field: string]: unknown;
}

export interface SessionSummaryEntry {
  sessionId: string;
  mtime: number;
  data: Record<string, unknown>;
}

/** The function of this name that the SDK exports. */
export type FoldSessionSummary = (
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: SessionStoreEntry[],
  options?: { mtime?: number },
) => SessionSummaryEntry;

/** What goes into `sessionStore` of the SDK's options. */
export interface AgentSdkSessionStore {
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  /** Only there when `foldSessionSummary` was given. */
  listSessionSummaries?(projectKey: string): Promise<SessionSummaryEntry[]>;
  delete(key: SessionKey): Promise<void>;
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}
