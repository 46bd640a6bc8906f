import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import type { CountedFamily } from "./counters.ts";

const FILE = new URL("recorded-counts.json", import.meta.url);

interface Recorded {
  /** The SHA-256 of all texts that were counted, so that counts are never used for other texts. */
  readonly digest: string;
  readonly counts: readonly number[];
}

/**
 * What an outside program once counted for exactly these texts, for families without a public tokenizer.
 * Undefined when the texts have changed since.
 */
export function recordedCounts(
  family: CountedFamily,
  texts: readonly string[],
): readonly number[] | undefined {
  const recorded = readAll()[family];
  return recorded?.digest === digestOf(texts) ? recorded.counts : undefined;
}

export function recordCounts(
  family: CountedFamily,
  texts: readonly string[],
  counts: readonly number[],
): void {
  writeFileSync(FILE, `${JSON.stringify({ ...readAll(), [family]: { digest: digestOf(texts), counts } })}\n`);
}

function readAll(): Partial<Record<CountedFamily, Recorded>> {
  return existsSync(FILE)
    ? (JSON.parse(readFileSync(FILE, "utf8")) as Partial<Record<CountedFamily, Recorded>>)
    : {};
}

function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(texts.join("\0")).digest("hex");
}
