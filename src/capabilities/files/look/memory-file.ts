import { join } from "node:path";
import { asRecord, parseJson } from "../../../core/text/untrusted.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";
import { writePrivate } from "../../../core/store/write-private.ts";

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

export function writeMemory(folder: string, memory: RememberedLook): void {
  writePrivate(fileIn(folder), JSON.stringify(memory));
}
