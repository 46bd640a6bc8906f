import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";

/** What the last look found out about the disk, beside what it stored. */
export interface RememberedLook {
  /** The snapshot whose files had these stamps. */
  readonly root: string;
  readonly seededFor: string | null;
  readonly stamps: Readonly<Record<string, string>>;
  /** How much content was stored since the budget was last looked at. */
  readonly unmeasuredBytes: number;
}

const fileIn = (folder: string) => join(folder, "seen.json");

/** Undefined where there is none, or it is no use: then every changed file is read again. */
export function readMemory(folder: string): RememberedLook | undefined {
  const found = asRecord(parseJson(readIfAny(fileIn(folder))?.toString("utf8") ?? ""));
  const isWhole = typeof found?.["root"] === "string" && asRecord(found["stamps"]) !== undefined;
  return isWhole ? (found as unknown as RememberedLook) : undefined;
}

/** Not synced: after a power cut it may be gone, and then all that changed is read once more. The tree's lock is held. */
export function writeMemory(folder: string, memory: RememberedLook): void {
  const temporary = `${fileIn(folder)}.tmp`;
  writeFileSync(temporary, JSON.stringify(memory), { mode: 0o600 });
  renameSync(temporary, fileIn(folder));
}
