import { createHash } from "node:crypto";

import { isCheckpointError, type CheckpointError } from "../../errors.ts";
import { linksOf, type NewObject } from "../../objects/object-format.ts";
import { isObjectId, objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import { findWrongField, readCheckpoint, SCHEMA_VERSION, type CheckpointInfo } from "../document.ts";
import { parseTrailName } from "../names.ts";
import { IMPORT_RECORD } from "../import-record.ts";
import { isOfThisStore } from "./export-trail.ts";
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
  for await (const line of cutLines(chunks, MAX_LINE_BYTES)) yield reader.check(line);
  reader.checkOver();
}

class TrailFileReader {
  readonly #source: string;
  readonly #weights = new Map<ObjectId, Weight>();
  readonly #checkpoints = new Set<ObjectId>();
  /** Of everything before the line that is checked. */
  readonly #hash = createHash("sha256");
  #header: HeaderLine | undefined;
  #line = 0;
  #isOver = false;

  constructor(source: string) {
    this.#source = source;
  }

  check(line: RawLine): TrailEntry {
    this.#line = line.number;
    if (line.tooLongBytes !== undefined) throw this.#damaged(`it is longer than ${MAX_LINE_BYTES} bytes`);
    try {
      const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line.bytes));
      const entry = this.#checkValue(value as object);
      this.#hash.update(line.bytes).update("\n");
      return entry;
    } catch (error) {
      if (isCheckpointError(error) && ("line" in error.details || error.code === "refused")) throw error;
      if (this.#header === undefined && !isTrailFile(Buffer.from(line.bytes).toString("latin1")))
        throw notATrailFile(this.#source);
      // A hostile line may be wrong in unforeseen ways: whatever fails while reading it makes it damaged.
      throw this.#damaged(
        error instanceof Error ? error.message.replace(/\.$/, "") : "it cannot be read",
        error,
      );
    }
  }

  checkOver(): void {
    if (this.#isOver) return;
    this.#line += 1;
    throw this.#damaged("the file ends before its end line");
  }

  #checkValue(value: object): TrailEntry {
    if (this.#isOver) throw this.#damaged("something follows the end line");
    if (this.#header === undefined) return this.#checkHeader(value as HeaderLine);
    if ("object" in value) return this.#checkObject(value as ObjectLine);
    if ("checkpoint" in value) return this.#checkCheckpoint(value as CheckpointLine);
    if ("end" in value) return this.#checkEnd(value as EndLine);
    throw this.#damaged("it is neither an object nor a checkpoint nor the end");
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

  #checkObject({ object: id, text, like }: ObjectLine): TrailEntry {
    const object = this.#checkBytes(id, text);
    if (this.#weights.get(id)?.kind === "checkpoint") throw this.#damaged("it is a checkpoint");
    return { kind: "object", object: { ...object, predecessor: isObjectId(like) ? like : undefined } };
  }

  #checkCheckpoint({ checkpoint: id, text, parent_is, records = {} }: CheckpointLine): TrailEntry {
    const object = this.#checkBytes(id, text);
    const { info, root } = readCheckpoint(id, object.bytes);
    this.#checkInfo(info);
    const hasParentHere = info.parent_hash !== null && this.#checkpoints.has(info.parent_hash);
    const isAway = parent_is === "pruned" || parent_is === "elsewhere";
    if (info.parent_hash !== null && hasParentHere === isAway) {
      throw this.#damaged(
        `its parent ${info.parent_hash} is ${isAway ? "in the file after all" : "not in the file"}`,
      );
    }
    this.#checkpoints.add(id);
    // A pin would keep its checkpoint for ever, and where it came from is not for it to say: that is up to this store.
    const reserved = Object.keys(records).find(isOfThisStore);
    if (reserved !== undefined)
      throw this.#damaged(reserved === IMPORT_RECORD ? "it says where it came from" : "it carries a pin");
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
  #checkInfo(info: CheckpointInfo): void {
    const wrong = findWrongField(info);
    if (wrong) throw this.#damaged(`its field "${wrong.field}" is not what a checkpoint has there`);
    const { checkpoint_id, schema_version, trail } = info;
    if (schema_version > SCHEMA_VERSION) {
      const details = { schema_version, known: SCHEMA_VERSION };
      throw newerVersion(`Checkpoint ${checkpoint_id}`, `schema ${schema_version}`, details);
    }
    parseTrailName(trail);
  }

  #checkBytes(id: ObjectId, text: string): NewObject {
    const bytes = Buffer.from(text, "utf8");
    if (objectIdOf(bytes) !== id) throw this.#damaged("its content does not match its name");
    if (this.#weights.has(id)) throw this.#damaged("it stands twice in the file");
    const weight = weigh(bytes, (child) => this.#weights.get(child));
    if (typeof weight === "string") throw this.#damaged(weight);
    this.#weights.set(id, weight);
    return { id, bytes, links: linksOf(bytes) };
  }

  #checkEnd({ end }: EndLine): TrailEntry {
    const { head, checkpoints } = this.#header as HeaderLine;
    const count = this.#checkpoints.size;
    const sha256 = this.#hash.copy().digest("hex");
    if (end.sha256 !== sha256) throw this.#damaged("the lines before it are not those that were written");
    if (end.checkpoints !== count || checkpoints !== count || end.objects !== this.#weights.size - count) {
      throw this.#damaged("it counts other lines than there are");
    }
    if (!this.#checkpoints.has(head)) throw this.#damaged("the head of the trail is not in the file");
    this.#isOver = true;
    return { kind: "end", sha256 };
  }

  #damaged(why: string, cause?: unknown): CheckpointError {
    return damagedLine(this.#source, this.#line, why, cause);
  }
}
