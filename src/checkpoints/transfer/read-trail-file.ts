import { createHash } from "node:crypto";

import { isCheckpointError, type CheckpointError } from "../../errors.ts";
import { linksOf, type NewObject } from "../../objects/object-format.ts";
import { isObjectId, objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import { PIN_PREFIX } from "../../store/removal-plan.ts";
import { readCheckpoint, SCHEMA_VERSION, type CheckpointInfo } from "../document.ts";
import { findWrongField } from "../document.ts";
import { parseTrailName } from "../names.ts";
import { IMPORT_RECORD } from "../import-record.ts";
import { cutLines, type RawLine } from "../../text/cut-lines.ts";
import { newerVersion } from "../trail-errors.ts";
import { weigh, type Weight } from "./object-weight.ts";
import {
  damagedLine,
  isTrailFile,
  MAX_LINE_BYTES,
  notATrailFile,
  TRAIL_FILE_VERSION,
  type CheckpointLine,
  type EndLine,
  type HeaderLine,
  type ObjectLine,
} from "./trail-file.ts";

/** One checked line. A checkpoint comes after the objects of its state and after its parent. */
export type TrailEntry =
  | { readonly kind: "header"; readonly header: HeaderLine }
  | { readonly kind: "object"; readonly object: NewObject }
  | {
      readonly kind: "checkpoint";
      readonly object: NewObject;
      readonly info: CheckpointInfo;
      readonly root: ObjectId;
      readonly hasParentHere: boolean;
      readonly records: ReadonlyMap<string, Uint8Array>;
    }
  | { readonly kind: "end"; readonly sha256: string };

/**
 * Reads the export of a trail and checks everything: each object against its hash, each link, each parent, and at
 * the end the whole. What was yielded before an error is sound in itself, but the file is not.
 */
export async function* readTrailFile(
  chunks: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<TrailEntry> {
  const reader = new TrailFileReader(source);
  let last = 0;
  for await (const line of cutLines(chunks, MAX_LINE_BYTES)) {
    last = line.number;
    yield reader.check(line);
  }
  if (!reader.isOver) throw damagedLine(source, last + 1, "the file ends before its end line");
}

class TrailFileReader {
  isOver = false;
  readonly #source: string;
  readonly #weights = new Map<ObjectId, Weight>();
  readonly #checkpoints = new Set<ObjectId>();
  /** Of everything before the line that is checked. */
  readonly #hash = createHash("sha256");
  #header: HeaderLine | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  check(line: RawLine): TrailEntry {
    if (line.tooLongBytes !== undefined)
      throw this.#damaged(line, `it is longer than ${MAX_LINE_BYTES} bytes`);
    try {
      const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line.bytes));
      const entry = this.#checkValue(value as object, line);
      this.#hash.update(line.bytes).update("\n");
      return entry;
    } catch (error) {
      if (isCheckpointError(error) && ("line" in error.details || error.code === "refused")) throw error;
      if (this.#header === undefined && !isTrailFile(Buffer.from(line.bytes).toString("latin1")))
        throw notATrailFile(this.#source);
      // A hostile line may be wrong in unforeseen ways: whatever fails while reading it makes it damaged.
      throw this.#damaged(
        line,
        error instanceof Error ? error.message.replace(/\.$/, "") : "it cannot be read",
        error,
      );
    }
  }

  #checkValue(value: object, line: RawLine): TrailEntry {
    if (this.isOver) throw this.#damaged(line, "something follows the end line");
    if (this.#header === undefined) return this.#checkHeader(value as HeaderLine);
    if ("object" in value) return this.#checkObject(value as ObjectLine, line);
    if ("checkpoint" in value) return this.#checkCheckpoint(value as CheckpointLine, line);
    if ("end" in value) return this.#checkEnd(value as EndLine, line);
    throw this.#damaged(line, "it is neither an object nor a checkpoint nor the end");
  }

  #checkHeader(header: HeaderLine): TrailEntry {
    if (header?.cairn !== "trail" || !Number.isSafeInteger(header.version)) throw notATrailFile(this.#source);
    if (header.version > TRAIL_FILE_VERSION) {
      const details = { source: this.#source, version: header.version, known: TRAIL_FILE_VERSION };
      throw newerVersion(`"${this.#source}"`, `export format ${header.version}`, details);
    }
    parseTrailName(header.trail);
    this.#header = header;
    return { kind: "header", header };
  }

  #checkObject({ object: id, text, like }: ObjectLine, line: RawLine): TrailEntry {
    const object = this.#checkBytes(id, text, line);
    if (this.#weights.get(id)?.kind === "checkpoint") throw this.#damaged(line, "it is a checkpoint");
    return { kind: "object", object: { ...object, predecessor: isObjectId(like) ? like : undefined } };
  }

  #checkCheckpoint(
    { checkpoint: id, text, parent_is, records = {} }: CheckpointLine,
    line: RawLine,
  ): TrailEntry {
    const object = this.#checkBytes(id, text, line);
    const { info, root } = readCheckpoint(id, object.bytes);
    this.#checkInfo(info, line);
    const hasParentHere = info.parent_hash !== null && this.#checkpoints.has(info.parent_hash);
    const isAway = parent_is === "pruned" || parent_is === "elsewhere";
    if (info.parent_hash !== null && hasParentHere === isAway) {
      throw this.#damaged(
        line,
        `its parent ${info.parent_hash} is ${isAway ? "in the file after all" : "not in the file"}`,
      );
    }
    this.#checkpoints.add(id);
    // A pin would keep its checkpoint for ever, and where it came from is not for it to say: that is up to this store.
    const reserved = Object.keys(records).find((key) => key.startsWith(PIN_PREFIX) || key === IMPORT_RECORD);
    if (reserved !== undefined)
      throw this.#damaged(
        line,
        reserved === IMPORT_RECORD ? "it says where it came from" : "it carries a pin",
      );
    const decoded = Object.entries(records).map(
      ([key, value]) => [key, Buffer.from(value, "base64")] as const,
    );
    const predecessor = hasParentHere ? info.parent_hash : undefined;
    return {
      kind: "checkpoint",
      object: { ...object, predecessor },
      info,
      root,
      hasParentHere,
      records: new Map(decoded),
    };
  }

  /** Its hash proves what was written, not that its fields are those of a checkpoint. */
  #checkInfo(info: CheckpointInfo, line: RawLine): void {
    const wrong = findWrongField(info);
    if (wrong) throw this.#damaged(line, `its field "${wrong.field}" is not what a checkpoint has there`);
    const { checkpoint_id, schema_version, trail } = info;
    if (schema_version > SCHEMA_VERSION) {
      const details = { schema_version, known: SCHEMA_VERSION };
      throw newerVersion(`Checkpoint ${checkpoint_id}`, `schema ${schema_version}`, details);
    }
    parseTrailName(trail);
  }

  #checkBytes(id: ObjectId, text: string, line: RawLine): NewObject {
    const bytes = Buffer.from(text, "utf8");
    if (objectIdOf(bytes) !== id) throw this.#damaged(line, "its content does not match its name");
    if (this.#weights.has(id)) throw this.#damaged(line, "it stands twice in the file");
    const weight = weigh(bytes, (child) => this.#weights.get(child));
    if (typeof weight === "string") throw this.#damaged(line, weight);
    this.#weights.set(id, weight);
    return { id, bytes, links: linksOf(bytes) };
  }

  #checkEnd({ end }: EndLine, line: RawLine): TrailEntry {
    const { head, checkpoints } = this.#header as HeaderLine;
    const count = this.#checkpoints.size;
    const sha256 = this.#hash.copy().digest("hex");
    if (end.sha256 !== sha256)
      throw this.#damaged(line, "the lines before it are not those that were written");
    if (end.checkpoints !== count || checkpoints !== count || end.objects !== this.#weights.size - count) {
      throw this.#damaged(line, "it counts other lines than there are");
    }
    if (!this.#checkpoints.has(head)) throw this.#damaged(line, "the head of the trail is not in the file");
    this.isOver = true;
    return { kind: "end", sha256 };
  }

  #damaged(line: RawLine, why: string, cause?: unknown): CheckpointError {
    return damagedLine(this.#source, line.number, why, cause);
  }
}
