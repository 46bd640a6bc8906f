import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Samples } from "./measure.ts";
import { time } from "./units.ts";

/** What 1.1 KB made durable costs at least on this disk: the measure for every durable commit. */
export interface RawAppend {
  readonly append: () => void;
  readonly close: () => void;
}

/** Below this the disk does not really flush (a cache without barriers, a RAM disk), and ratios mean nothing. */
export const LEAST_RAW_MICROSECONDS = 150;

/** Above this somebody else uses the disk, and waiting for it hides what we cost ourselves. */
export const QUIET_RAW_MICROSECONDS = 450;

/** What a reader has to know about a figure whose raw appends were slow. */
export function busyDisk(raw: Samples): string {
  return raw.p50 > QUIET_RAW_MICROSECONDS
    ? `; the disk was busy (raw append ${time(raw.p50)}), which flatters`
    : "";
}

/** The median of some appends: how quick the disk is just now. */
export async function rawAppendNow(folder: string): Promise<Samples> {
  const raw = openRawAppend(folder);
  const samples = new Samples();
  for (let count = 0; count < 200; count++) await samples.time(raw.append);
  raw.close();
  return samples;
}

export function openRawAppend(folder: string): RawAppend {
  const file = openSync(join(folder, "raw-append"), "a");
  const bytes = Buffer.alloc(1126, "x");
  return {
    append: () => {
      writeSync(file, bytes);
      fdatasyncSync(file);
    },
    close: () => closeSync(file),
  };
}
