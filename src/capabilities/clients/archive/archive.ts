import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import type { Cairn } from "../../../work/state/cairn.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import type { Trail } from "../../../core/trails/trail.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { PIN_PREFIX } from "../../../core/store/removal-plan.ts";
import { trailPart } from "../../../work/sessions/session.ts";
import type { RawLine } from "../../../core/text/cut-lines.ts";
import { redactLine } from "./redact-line.ts";
import type { TranscriptFile } from "./transcript-file.ts";

/** A line as it is archived: its text; its bytes, if they are not UTF-8; or only its length, if it is too long. */
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

/** A part is read and written as a whole, so it must fit into memory several times. */
const PART_BYTES = 16 * 2 ** 20;

export interface ArchiveReport {
  readonly trail: string;
  readonly new_lines: number;
  readonly secrets_removed: number;
  /** The client rewrote the file. What was archived before stays in the trail's history, pinned. */
  readonly was_rewritten: boolean;
}

export interface ArchiveOptions {
  readonly cairn: Cairn;
  readonly redactor: Redactor;
  readonly partBytes?: number;
}

/**
 * Puts a transcript into the store while it is read, one part in memory at a time. A part that is archived already is
 * left alone, and its lines are not searched for secrets again.
 */
export class Archiver {
  readonly #options: ArchiveOptions;
  readonly #file: TranscriptFile;
  #part = 0;
  #trail!: Trail<ArchivedTranscript>;
  /** What an earlier import left of this part. */
  #before: Checkpoint<ArchivedTranscript> | undefined;
  #lines: ArchivedLine[] = [];
  #bytes = 0;
  #tail: ArchivedLine | null = null;
  #newLines = 0;
  #newSecrets = 0;
  /** Whether this part differs from what was archived, beyond having grown; and whether any part did. */
  #differs = false;
  #wasRewritten = false;

  private constructor(file: TranscriptFile, options: ArchiveOptions) {
    this.#file = file;
    this.#options = options;
  }

  static async open(file: TranscriptFile, options: ArchiveOptions): Promise<Archiver> {
    const archiver = new Archiver(file, options);
    await archiver.#nextPart();
    return archiver;
  }

  /** Takes the next line, with what it means where it is JSON. */
  async add(line: RawLine, value: unknown): Promise<void> {
    const size = line.bytes.length;
    const limit = this.#options.partBytes ?? PART_BYTES;
    if (line.isComplete && this.#bytes > 0 && this.#bytes + size > limit) {
      await this.#write();
      await this.#nextPart();
    }
    const known = this.#before?.state.lines[this.#lines.length];
    // A line that was archived as it is had no secret in it.
    const isKnown = typeof known === "string" && known === line.bytes.toString("utf8");
    const { archived, secrets } = isKnown ? { archived: known, secrets: 0 } : this.#clean(line, value);
    if (!line.isComplete) {
      this.#tail = archived;
      return;
    }
    this.#lines.push(archived);
    this.#bytes += size;
    if (isDeepStrictEqual(archived, known)) return;
    this.#differs ||= known !== undefined;
    this.#newLines++;
    this.#newSecrets += secrets;
  }

  async finish(): Promise<ArchiveReport> {
    await this.#write();
    // The parts that a rewritten file no longer needs.
    for (await this.#nextPart(); this.#before !== undefined; await this.#nextPart()) await this.#write();
    return {
      trail: transcriptTrail(this.#file),
      new_lines: this.#newLines,
      secrets_removed: this.#newSecrets,
      was_rewritten: this.#wasRewritten,
    };
  }

  #clean(line: RawLine, value: unknown): { archived: ArchivedLine; secrets: number } {
    if (line.tooLongBytes !== undefined)
      return { archived: { too_long_bytes: line.tooLongBytes }, secrets: 0 };
    const { text, secrets } = redactLine(line.bytes.toString("utf8"), value, this.#options.redactor);
    // Bytes that are not text are kept exactly, unless they hold a secret.
    const isText = secrets > 0 || isUtf8(line.bytes);
    return { archived: isText ? text : { base64: line.bytes.toString("base64") }, secrets };
  }

  async #nextPart(): Promise<void> {
    const { cairn } = this.#options;
    this.#part++;
    const name = partTrail(transcriptTrail(this.#file), this.#part);
    this.#trail = cairn.trail<ArchivedTranscript>(name);
    const isThere = (await cairn.store.head(name)) !== undefined;
    this.#before = isThere ? await this.#trail.load() : undefined;
    this.#lines = [];
    this.#bytes = 0;
    this.#tail = null;
    this.#differs = false;
  }

  async #write(): Promise<void> {
    const before = this.#before;
    const lines = this.#lines;
    if (before === undefined && lines.length === 0 && this.#tail === null) return;
    if (before !== undefined && (this.#differs || before.state.lines.length > lines.length)) {
      this.#wasRewritten = true;
      const reason = new TextEncoder().encode("archived before the client rewrote the file");
      const pin = new Map([[`${PIN_PREFIX}transcript`, reason]]);
      await this.#options.cairn.store.attach(before.content_hash, pin);
    }
    const { client, session_id, agent_id, path: source } = this.#file;
    const about = { kind: "transcript", client, session_id, agent_id, source, part: this.#part } as const;
    try {
      const notes = { trigger: "import", session_id, ifChanged: true };
      await this.#trail.commit({ ...about, lines, tail: this.#tail }, notes);
    } catch (error) {
      throw isCheckpointError(error, "conflict") ? importedMeanwhile(this.#file) : error;
    }
  }
}

function importedMeanwhile({ path }: TranscriptFile): CheckpointError {
  return new CheckpointError("conflict", `Another process is importing "${path}" at the same time.`, {
    hint: "Run the same command again: what is archived is not archived twice.",
    details: { path },
  });
}
