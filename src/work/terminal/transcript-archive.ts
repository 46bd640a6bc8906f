import type { ClientName } from "../clients/clients.ts";
import type { KEEPING } from "../project/maintenance/verbs.ts";
import { type Capability, findPart, notInBuild } from "../project/capability.ts";
import type { Project } from "../project/project.ts";
import type { Cairn } from "../state/cairn.ts";
import type { EntryOptions } from "./command.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";

export type ImportOptions = EntryOptions<(typeof KEEPING)["import"]>;

/** What `import` and `export` ask of the capability that archives what agent clients recorded. */
export interface TranscriptArchive {
  /** Reads the sessions that a client recorded, and archives their transcripts. */
  importTranscripts(
    context: Context,
    client: ClientName,
    options: ImportOptions,
    output: Output,
  ): Promise<number>;
  /** The trail of an archived transcript: by its own name, or by the session's id or its beginning. */
  findTranscript(cairn: Cairn, wanted: string): Promise<string>;
  /** An archived transcript as the file that it was. */
  transcriptPieces(cairn: Cairn, trail: string): AsyncIterable<Uint8Array>;
}

export interface ArchivesTranscripts extends Capability {
  readonly archive?: () => Promise<TranscriptArchive>;
}

export async function archiveOf(project: Project): Promise<TranscriptArchive> {
  const archive = await findPart<ArchivesTranscripts, "archive">(project, "archive");
  if (archive === undefined) throw notInBuild("Transcripts belong to agent clients", "clients");
  return archive;
}
