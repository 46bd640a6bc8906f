import type { TranscriptArchive } from "../../../work/terminal/transcript-archive.ts";
import { findTranscript, transcriptPieces } from "./export-transcript.ts";
import { importTranscripts } from "./import-transcripts.ts";

export const transcriptArchive: TranscriptArchive = { importTranscripts, findTranscript, transcriptPieces };
