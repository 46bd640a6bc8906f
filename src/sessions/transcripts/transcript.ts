/** The agent clients whose transcripts can be read. */
export type TranscriptClient = "claude" | "codex";

/** A file in which a client recorded a session, or one of its sub-agents. */
export interface TranscriptFile {
  readonly client: TranscriptClient;
  readonly session_id: string;
  /** Set for the file of a sub-agent. */
  readonly agent_id: string | null;
  readonly path: string;
  /** The folder that the session worked in, as far as the file says. */
  readonly cwd: string | null;
  readonly modifiedAt: Date;
  readonly sizeBytes: number;
}

/** A line that could not be understood. It is archived anyway. */
export interface LineProblem {
  /** Counted from 1, as editors do. */
  readonly line: number;
  readonly reason: string;
}

/** A session with the files of its sub-agents. */
export interface RecordedSession {
  readonly main: TranscriptFile;
  readonly agents: readonly TranscriptFile[];
}
