import { isUtf8 } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import type { Cairn } from "../../checkpoints/cairn.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import { CheckpointError } from "../../errors.ts";
import { PIN_PREFIX } from "../../store/removal-plan.ts";
import {
  type ArchivedLine,
  type ArchivedTranscript,
  emptyPart,
  partTrail,
  transcriptTrail,
} from "./archived-transcript.ts";
import { findArchived, hashLine, type KnownPart } from "./find-archived.ts";
import type { RawLine } from "../../text/cut-lines.ts";
import { redactLine } from "./redact-line.ts";
import type { TranscriptFile } from "./transcript.ts";

/** A part is read and written as a whole, so it must fit into memory several times. */
const PART_CHARS = 16 * 2 ** 20;

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
  readonly partChars?: number;
}

/**
 * Puts a transcript into the store while it is read, one part in memory at a time. What was archived before is
 * recognised by its hash, so only what is new is searched for secrets and stored.
 */
export class Archiver {
  readonly #options: ArchiveOptions;
  readonly #file: TranscriptFile;
  readonly #known: readonly KnownPart[];
  readonly #wasRewritten: boolean;
  /** So many lines are archived already. */
  readonly #skip: number;
  readonly #hash: Hash = createHash("sha256");
  #read = 0;
  /** The number of the part that is written; what it goes on from, if anything; and what is new in it. */
  #part: number;
  #base: KnownPart | undefined;
  #fresh: ArchivedLine[] = [];
  #freshChars = 0;
  #freshSecrets = 0;
  #tail: ArchivedLine | null = null;
  #newLines = 0;
  #newSecrets = 0;

  private constructor(
    file: TranscriptFile,
    options: ArchiveOptions,
    { known, isPrefix }: { known: readonly KnownPart[]; isPrefix: boolean },
  ) {
    this.#file = file;
    this.#options = options;
    this.#known = known;
    this.#wasRewritten = known.length > 0 && !isPrefix;
    const last = isPrefix ? known.findLastIndex(({ source_lines }) => source_lines > 0) : -1;
    this.#part = Math.max(last, 0) + 1;
    this.#base = isPrefix ? known[this.#part - 1] : undefined;
    this.#skip = this.#base?.source_lines ?? 0;
  }

  static async open(file: TranscriptFile, options: ArchiveOptions): Promise<Archiver> {
    return new Archiver(file, options, await findArchived(options.cairn, file));
  }

  /** Takes the next line, with what it means where it is JSON. */
  async add(line: RawLine, value: unknown): Promise<void> {
    if (line.isComplete && this.#read < this.#skip) return this.#count(line);
    const { archived, secrets } = this.#clean(line, value);
    if (!line.isComplete) {
      this.#tail = archived;
      return;
    }
    const limit = this.#options.partChars ?? PART_CHARS;
    const chars = typeof archived === "string" ? archived.length : line.bytes.length;
    const before = (this.#base?.chars ?? 0) + this.#freshChars;
    if (before > 0 && before + chars > limit) await this.#nextPart();
    this.#count(line);
    this.#fresh.push(archived);
    this.#freshChars += chars;
    this.#freshSecrets += secrets;
    this.#newLines++;
  }

  async finish(): Promise<ArchiveReport> {
    await this.#write(this.#tail);
    // What a rewritten file no longer needs.
    while (this.#wasRewritten && this.#part < this.#known.length) {
      this.#part++;
      await this.#write(null);
    }
    return {
      trail: transcriptTrail(this.#file),
      new_lines: this.#newLines,
      secrets_removed: this.#newSecrets,
      was_rewritten: this.#wasRewritten,
    };
  }

  #count(line: RawLine): void {
    hashLine(this.#hash, line);
    this.#read++;
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
    await this.#write(null);
    this.#part++;
    this.#base = undefined;
  }

  async #write(tail: ArchivedLine | null): Promise<void> {
    const base = this.#base;
    const there = this.#known[this.#part - 1];
    const isSame = this.#fresh.length === 0 && JSON.stringify(tail) === JSON.stringify(base?.tail ?? null);
    if (isSame && base === there) return;
    // Something else is there that this file does not begin with.
    if (there !== undefined && base === undefined) await this.#pin(there);
    const lines = this.#fresh;
    const source_sha256 = this.#hash.copy().digest("hex");
    const empty = emptyPart(this.#file, this.#part);
    const trail = partTrail(transcriptTrail(this.#file), this.#part);
    await this.#options.cairn.trail<ArchivedTranscript>(trail, { initial: empty }).commit(
      (draft) => {
        if (draft.source_sha256 !== (there?.source_sha256 ?? "")) throw importedMeanwhile(this.#file);
        if (base === undefined) Object.assign(draft, structuredClone(empty));
        for (const line of lines) draft.lines.push(line);
        draft.chars += this.#freshChars;
        draft.secrets_removed += this.#freshSecrets;
        Object.assign(draft, { tail, source_lines: this.#read, source_sha256 });
      },
      { trigger: "import", session_id: this.#file.session_id },
    );
    this.#newSecrets += this.#freshSecrets;
    this.#fresh = [];
    this.#freshChars = 0;
    this.#freshSecrets = 0;
  }

  async #pin({ head }: KnownPart): Promise<void> {
    const reason = new TextEncoder().encode("archived before the client rewrote the file");
    await this.#options.cairn.store.attach(head, new Map([[`${PIN_PREFIX}transcript`, reason]]));
  }
}

function importedMeanwhile({ path }: TranscriptFile): CheckpointError {
  return new CheckpointError("conflict", `Another process is importing "${path}" at the same time.`, {
    hint: "Run the same command again: what is archived is not archived twice.",
    details: { path },
  });
}
