import type { ArchivesTranscripts } from "../../work/terminal/transcript-archive.ts";
import { VERBS } from "./verbs.ts";

/** Agent clients: their set-up, and the archive of their transcripts. */
export const clients: ArchivesTranscripts = {
  name: "clients",
  needs: [],
  verbs: VERBS,
  doctor: async () => (await import("./doctor.ts")).doctor,
  archive: async () => (await import("./archive/transcript-archive.ts")).transcriptArchive,
};
