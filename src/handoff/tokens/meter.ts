import { countFeatures } from "./count-features.ts";
import { FEATURES } from "./features.ts";
import { countExactly, familiesOf, upperMilli, type Family, type TokenCounter } from "./token-counter.ts";

/**
 * A size in every limited dimension, such as thousandths of tokens of one family and thousandths of characters. Whole
 * numbers in a fixed order.
 */
export type Size = readonly number[];

/** Measures lines of text in the limited dimensions, and knows the limits. */
export interface Meter {
  readonly limits: Size;
  /** The size of lines, each with the line end that follows it. */
  measure(lines: string): Size;
  /** The size of words inside a line, as long as each starts with a blank. */
  measureWords(words: string): Size;
  /** The tokens of a size; undefined if only characters are limited. */
  tokensOf(size: Size): number | undefined;
}

export interface Budget {
  readonly family: Family;
  readonly maxTokens?: number | undefined;
  readonly maxChars?: number | undefined;
  readonly counter?: TokenCounter | undefined;
}

export function createMeter({ family, maxTokens, maxChars, counter }: Budget): Meter {
  const exact = maxTokens === undefined ? undefined : counter;
  const families = maxTokens === undefined || exact !== undefined ? [] : familiesOf(family);
  const tokenDimensions = exact === undefined ? families.length : 1;
  const limits = [
    ...Array.from({ length: tokenDimensions }, () => maxTokens! * 1000),
    ...(maxChars === undefined ? [] : [maxChars * 1000]),
  ];
  // One array for all texts: a handoff measures hundreds.
  const counts = new Uint32Array(FEATURES.length);
  const measureText = (text: string, counted: string): Size => {
    const size: number[] = [];
    if (families.length > 0) countFeatures(text, counts);
    for (const member of families) size.push(upperMilli(counts, member));
    // Never zero: if every line were free, no budget would ever be too small.
    if (exact !== undefined) size.push(Math.max(1, Math.ceil(countExactly(counted, exact) * 1000)));
    if (maxChars !== undefined) size.push(counted.length * 1000);
    return size;
  };
  return {
    limits,
    measure: (lines) => measureText(lines, `${lines}\n`),
    // Measured behind a letter, because a line of its own would cost a line end.
    measureWords: (words) => minus(measureText(`x${words}`, `x${words}`), measureText("x", "x")),
    tokensOf: (size) =>
      tokenDimensions === 0 ? undefined : Math.ceil(Math.max(...size.slice(0, tokenDimensions)) / 1000),
  };
}

export function plus(a: Size, b: Size): Size {
  return a.map((value, index) => value + b[index]!);
}

export function minus(a: Size, b: Size): Size {
  return a.map((value, index) => value - b[index]!);
}

export function fits(size: Size, limits: Size): boolean {
  return size.every((value, index) => value <= limits[index]!);
}

/** A size as one number: the share of the scarcest limit that it takes. */
export function share(size: Size, limits: Size): number {
  let most = 0;
  for (let at = 0; at < size.length; at += 1) most = Math.max(most, size[at]! / limits[at]!);
  return most;
}
