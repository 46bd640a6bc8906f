import { trailPart } from "../../sessions/session.ts";
import type { TranscriptFile } from "../../sessions/transcripts/transcript.ts";

/** A line as it is archived: its text; or its bytes, where they are no text; or only how long it was. */
export type ArchivedLine = string | { readonly base64: string } | { readonly too_long_bytes: number };

/** The state of a trail that holds a transcript, or a part of a long one. */
export interface ArchivedTranscript {
  kind: "transcript";
  client: string;
  session_id: string;
  agent_id: string | null;
  /** Where the client keeps the file. */
  source: string;
  part: number;
  lines: ArchivedLine[];
  /** A last line without a line end. It may still grow, so it is read again each time. */
  tail: ArchivedLine | null;
}

/** The first part of the names of all trails that hold transcripts. */
export const TRANSCRIPT_PREFIX = "transcript/";

export function transcriptTrail(file: Pick<TranscriptFile, "client" | "session_id" | "agent_id">): string {
  const session = `${TRANSCRIPT_PREFIX}${file.client}/${trailPart(file.session_id)}`;
  return file.agent_id === null ? session : `${session}/agent-${trailPart(file.agent_id)}`;
}

/** A long transcript is kept in several trails: the first has its name, the others a number. */
export function partTrail(trail: string, part: number): string {
  return part === 1 ? trail : `${trail}/part-${part}`;
}
