import { parseArgs } from "node:util";
import type { OptionSpec } from "./spec.ts";
import { optionName } from "./table.ts";

export type KnownOptions = Readonly<Record<string, OptionSpec>>;

/** A word that is no option, and where it stands. */
interface WordToken {
  readonly kind: "word";
  readonly text: string;
  readonly index: number;
  /** Whether it comes after `--`. */
  readonly isAfterEnd: boolean;
}

export interface OptionToken {
  readonly kind: "option";
  /** As it was typed, without a value. */
  readonly typed: string;
  /** The option's key; undefined for one that is not known. */
  readonly key: string | undefined;
  readonly value: string | undefined;
  /** Whether the value was typed after `=`. */
  readonly isInline: boolean;
  /** What follows the first value of an option that takes two. */
  readonly second: string | undefined;
}

/** Tells options, their values and other words apart. What a word means to the command is not looked at. */
export function tokensOf(words: readonly string[], known: KnownOptions): (WordToken | OptionToken)[] {
  const keys = new Map(Object.keys(known).map((key) => [optionName(key).slice(2), key]));
  const { tokens } = parseArgs({ args: [...words], options: typesOf(known), strict: false, tokens: true });
  const found: (WordToken | OptionToken)[] = [];
  let isAfterEnd = false;
  let last = -1;
  for (const token of tokens) {
    // Node takes `-12` for two options, and does not know of options with two values.
    if (token.index <= last) continue;
    if (token.kind === "option-terminator") isAfterEnd = true;
    else if (token.kind === "positional" || /^-\d/.test(token.rawName)) {
      last = token.index;
      found.push({ kind: "word", text: words[token.index] as string, index: token.index, isAfterEnd });
    } else {
      const { name, rawName: typed, value, inlineValue: isInline = false } = token;
      const key = keys.get(name);
      const takesTwo = key !== undefined && known[key]?.kind === "pairs" && !isInline;
      const second = takesTwo ? words[token.index + 2] : undefined;
      if (second !== undefined && !looksLikeOption(second)) last = token.index + 2;
      found.push({ kind: "option", typed, key, value, isInline, second });
    }
  }
  return found;
}

/** What looks like an option is a forgotten value rather than a text. */
export function looksLikeOption(text: string): boolean {
  return /^--?[A-Za-z]/.test(text);
}

function typesOf(known: KnownOptions) {
  return Object.fromEntries(
    Object.entries(known).map(([key, option]) => [
      optionName(key).slice(2),
      {
        type: option.kind === "flag" ? ("boolean" as const) : ("string" as const),
        ...("short" in option && option.short !== undefined ? { short: option.short.slice(1) } : {}),
      },
    ]),
  );
}
