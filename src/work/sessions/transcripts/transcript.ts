import { join } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { statIfAny } from "../../machine/read-bounded.ts";
import type { TranscriptPosition } from "../../state/activity.ts";
import type { TranscriptWork } from "./transcript-work.ts";

/** How a client records its sessions. The formats are internal to the clients: nothing is taken for granted. */
export interface TranscriptFormat {
  /** Whether a line may tell of the work; the others are not even parsed. */
  readonly isTelling?: (line: string) => boolean;
  readonly reader: (work: TranscriptWork) => LineReader;
  /** The file that the client itself keeps for a session. */
  readonly find: (session: TranscriptSession) => string | undefined;
  /** What is new of a session, for a client that does not write a file of lines. */
  readonly part?: (
    path: string,
    sessionId: string,
    from: TranscriptPosition | undefined,
  ) => TranscriptPart | undefined;
  /** How often a conversation was compacted, where only its transcript says so. */
  readonly compactions?: (path: string | undefined) => number;
}

/** A session whose transcript is looked for. */
export interface TranscriptSession {
  readonly env: Environment;
  readonly sessionId: string;
  /** The folder that the session was started in. */
  readonly folder: string;
}

/** What is new of a transcript. */
export interface TranscriptPart {
  readonly lines: readonly string[];
  readonly from: TranscriptPosition | undefined;
  /** Where the part ends, or where its first `lines` lines end. */
  readonly end: (lines?: number) => TranscriptPosition;
}

/** Reads a line of one client's transcript, written at that time. */
export type LineReader = (line: unknown, at: string) => void;

/** The path of a file; undefined if it does not exist. */
export function fileIn(folder: string | undefined, ...names: readonly string[]): string | undefined {
  const path = folder && join(folder, ...names);
  return path && statIfAny(path)?.isFile() ? path : undefined;
}
