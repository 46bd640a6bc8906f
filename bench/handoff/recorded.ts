import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import type { CountedFamily } from "./counters.ts";

/** One line for each family: its name, the SHA-256 of all texts that were counted, and their counts. */
const FILE = new URL("recorded-counts.txt", import.meta.url);

/**
 * What an outside program once counted for exactly these texts, for families without a public tokenizer.
 * Undefined when the texts have changed since.
 */
export function recordedCounts(
  family: CountedFamily,
  texts: readonly string[],
): readonly number[] | undefined {
  const [, digest, ...counts] =
    readLines()
      .find((line) => line.startsWith(`${family} `))
      ?.split(" ") ?? [];
  return digest === digestOf(texts) ? counts.map(Number) : undefined;
}

export function recordCounts(
  family: CountedFamily,
  texts: readonly string[],
  counts: readonly number[],
): void {
  const others = readLines().filter((line) => !line.startsWith(`${family} `));
  writeFileSync(FILE, `${[...others, [family, digestOf(texts), ...counts].join(" ")].join("\n")}\n`);
}

function readLines(): string[] {
  return existsSync(FILE) ? readFileSync(FILE, "utf8").trim().split("\n") : [];
}

function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(texts.join("\0")).digest("hex");
}
