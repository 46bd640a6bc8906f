import { createHash } from "node:crypto";
import type { Cairn } from "../../checkpoints/cairn.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import {
  type ArchivedLine,
  type ArchivedTranscript,
  partTrail,
  transcriptTrail,
} from "./archived-transcript.ts";
import type { RawLine } from "../../text/cut-lines.ts";
import { readTranscript } from "./read-lines.ts";
import type { TranscriptFile } from "./transcript.ts";

/** What an earlier import left of a part. */
export interface KnownPart {
  readonly head: ObjectId;
  readonly source_lines: number;
  readonly source_sha256: string;
  readonly chars: number;
  readonly tail: ArchivedLine | null;
}

/** More than any disk would hold of one session. */
const MAX_PARTS = 10_000;

/** What was archived of a file before, and whether the file still begins with that. */
export async function findArchived(
  cairn: Cairn,
  file: TranscriptFile,
): Promise<{ known: KnownPart[]; isPrefix: boolean }> {
  const known: KnownPart[] = [];
  for (let part = 1; part <= MAX_PARTS; part++) {
    const name = partTrail(transcriptTrail(file), part);
    if ((await cairn.store.head(name)) === undefined) break;
    const { content_hash: head, state } = await cairn.trail<ArchivedTranscript>(name).load();
    const { source_lines, source_sha256, chars, tail } = state;
    known.push({ head, source_lines, source_sha256, chars, tail });
  }
  const last = known.findLast(({ source_lines }) => source_lines > 0);
  if (last === undefined) return { known, isPrefix: known.length === 1 };
  return { known, isPrefix: (await hashOfLines(file.path, last.source_lines)) === last.source_sha256 };
}

/** Adds a complete line to the hash of a file. */
export function hashLine(hash: { update(data: string | Uint8Array): unknown }, line: RawLine): void {
  hash.update(line.bytes);
  hash.update(line.tooLongBytes === undefined ? "\n" : `${line.tooLongBytes}\n`);
}

async function hashOfLines(path: string, lines: number): Promise<string | undefined> {
  const hash = createHash("sha256");
  for await (const line of readTranscript(path)) {
    if (!line.isComplete) return undefined;
    hashLine(hash, line);
    if (line.number === lines) return hash.digest("hex");
  }
  return undefined;
}
