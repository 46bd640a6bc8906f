import { rmSync } from "node:fs";
import { join } from "node:path";
import { isObjectId } from "../../../core/objects/object-id.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { syncFolder } from "../../../core/store/private-files.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { isCommitHash } from "../../../work/capture/git/git-head.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";
import type { FileChange } from "../moments/compare.ts";
import type { RewindDone } from "../snapshot/snapshots.ts";
import { isSafePath } from "./safe-path.ts";

/** What is done to one file: as it must be before, and as it will be. */
export type JournalStep = Pick<FileChange, "path" | "from" | "to">;

/** A rewind that has begun. The next command that finds one finishes it. */
export interface Journal extends Omit<RewindDone, "paths"> {
  readonly version: 1;
  readonly steps: readonly JournalStep[];
}

const journalIn = (folder: string) => join(folder, "rewind.json");

/** From here on the rewind happens, whatever becomes of this process. */
export function writeJournal(folder: string, journal: Journal): void {
  writePrivate(journalIn(folder), JSON.stringify(journal));
}

/** The rewind that was begun and not finished. */
export function readJournal(folder: string): Journal | undefined {
  const bytes = readIfAny(journalIn(folder));
  if (bytes === undefined) return undefined;
  const found = asRecord(parseJson(bytes.toString("utf8")));
  const isWhole = found?.["version"] === 1 && isName(found["before"]) && isName(found["target"]);
  if (isWhole && Array.isArray(found["steps"]) && found["steps"].every(isStep))
    return found as unknown as Journal;
  throw new CheckpointError("corrupt", `The journal of a rewind is damaged: ${journalIn(folder)}`, {
    hint: "Nothing was changed. Move the file elsewhere, then see: checkpoint files",
  });
}

/** Printed, and part of a command to type. */
const isName = (id: unknown) => typeof id === "string" && /^[\w-]+$/.test(id);

function isStep(step: unknown): boolean {
  const { path, from, to } = asRecord(step) ?? {};
  return typeof path === "string" && isSafePath(path) && [from, to].every(isSide);
}

function isSide(side: unknown): boolean {
  const { kind, version, mode, blob } = asRecord(side) ?? {};
  const stored = asRecord(version);
  const isMode = ["100644", "100755", "120000"].includes(String(stored ? stored["mode"] : mode));
  if (kind === "stored") {
    const { pieces } = stored ?? {};
    return isMode && Array.isArray(pieces) && pieces.every(isObjectId);
  }
  return kind === "absent" || (kind === "blob" && isMode && isCommitHash(blob));
}

/** The rewind is over, durably. */
export function endJournal(folder: string): void {
  rmSync(journalIn(folder), { force: true });
  syncFolder(folder);
}
