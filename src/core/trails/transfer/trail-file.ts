import { CheckpointError } from "../../errors.ts";
import type { ObjectId } from "../../objects/object-id.ts";

/**
 * A whole trail as one file of JSON lines: a header, then objects and checkpoints in an order in which everything
 * comes after what it refers to, then an end line that proves that nothing before it is missing or changed.
 */
export const TRAIL_FILE_VERSION = 1;

export interface HeaderLine {
  readonly cairn: "trail";
  readonly version: number;
  readonly trail: string;
  readonly head: ObjectId;
  readonly checkpoints: number;
}

export interface ObjectLine {
  readonly object: ObjectId;
  readonly text: string;
  /** An earlier object with similar text. Only a hint: a store may keep the difference. */
  readonly like?: ObjectId;
}

export interface CheckpointLine {
  readonly checkpoint: ObjectId;
  readonly text: string;
  /** Why its parent is not in the file, when it is not: it was pruned, or it stands in another trail. */
  readonly parent_is?: "pruned" | "elsewhere";
  /** What is attached to it, in base64. */
  readonly records?: Readonly<Record<string, string>>;
}

export interface EndLine {
  readonly end: { readonly objects: number; readonly checkpoints: number; readonly sha256: string };
}

/** Longer lines are refused on both sides, so that no file makes a reader take in more than it can hold. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Whether a file that begins like this is the export of a trail, and not a single checkpoint. */
export function isTrailFile(beginning: string): boolean {
  return beginning.startsWith('{"cairn":"trail"');
}

/** A line that is not what it was when it was written. */
export function damagedLine(source: string, line: number, why: string, cause?: unknown): CheckpointError {
  return new CheckpointError(
    "corrupt",
    `Line ${line} of "${source}" is damaged: ${why}. Nothing was imported.`,
    {
      hint: "Export the trail again, or get another copy of the file.",
      details: { source, line },
      cause,
    },
  );
}

export function notATrailFile(source: string): CheckpointError {
  return new CheckpointError("usage", `"${source}" is not the export of a trail.`, {
    hint: 'An export begins with {"cairn":"trail"; a single checkpoint is imported by itself.',
    details: { source, line: 1 },
  });
}
