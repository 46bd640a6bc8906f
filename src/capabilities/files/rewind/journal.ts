import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObjectId } from "../../../core/objects/object-id.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { makePrivateFolder, refuseLinks, syncFolder } from "../../../core/store/private-files.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";
import type { FileVersion } from "../snapshot/snapshot-file.ts";
import { isSafePath } from "./safe-path.ts";

/** A file's content as a journal names it: by the ids of its pieces, so that nothing else is taken for it. */
export type JournalContent = Pick<FileVersion, "mode" | "pieces">;

/** What is done to one file: as it must be before, and as it will be; null is a file that is not there. */
export interface JournalStep {
  readonly path: string;
  readonly have: JournalContent | null;
  readonly want: JournalContent | null;
}

/** A rewind that has begun. The next command that finds one finishes it. */
export interface Journal {
  readonly version: 1;
  /** The snapshot of the files before it. */
  readonly before: string;
  /** What it goes back to. */
  readonly target: string;
  readonly steps: readonly JournalStep[];
}

/** Where a rewind keeps what it is about to write. */
function stagingFolder(folder: string): string {
  const path = join(folder, "rewind");
  refuseLinks(folder, path);
  return path;
}

const journalIn = (folder: string) => join(stagingFolder(folder), "journal.json");

export const stagedFile = (folder: string, step: number) => join(stagingFolder(folder), String(step));

/** Empties the place for new content. Without a journal, what is there belongs to a rewind that never began. */
export function prepareStaging(folder: string): void {
  if (existsSync(journalIn(folder))) throw new Error("A rewind is under way.");
  rmSync(stagingFolder(folder), { recursive: true, force: true });
  makePrivateFolder(folder);
  mkdirSync(stagingFolder(folder), { mode: 0o700 });
}

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
  const { path, have, want } = asRecord(step) ?? {};
  return typeof path === "string" && isSafePath(path) && [have, want].every(isContent);
}

function isContent(content: unknown): boolean {
  const { mode, pieces } = asRecord(content) ?? {};
  const isMode = mode === "100644" || mode === "100755" || mode === "120000";
  return content === null || (isMode && Array.isArray(pieces) && pieces.every(isObjectId));
}

/** The rewind is over: its journal first, durably, then the rest. */
export function endJournal(folder: string): void {
  rmSync(journalIn(folder), { force: true });
  syncFolder(stagingFolder(folder));
  rmSync(stagingFolder(folder), { recursive: true, force: true });
}
