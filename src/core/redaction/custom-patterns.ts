import { CheckpointError } from "../errors.ts";
import type { Span } from "./span.ts";
import type { SecretMemory } from "./find-remembered.ts";

/** A user's own format of a secret. */
export interface ExtraPattern {
  /** Shown in the replacement, `[redacted:<name>]`: letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /** A regular expression, or its source. If it has a group called `secret`, only that part is replaced. */
  readonly pattern: string | RegExp;
}

/** What a user adds to the built-in rules, checked and ready to use. */
export interface TextPatterns {
  find(text: string): Span[];
  /** The patterns that have matched more than a quarter of a text of some length: such a pattern is rarely meant. */
  readonly greedy: ReadonlySet<string>;
  isAllowed(secret: string): boolean;
  /** Where secrets that were found are remembered. */
  readonly memory?: SecretMemory;
}

/** Throws `usage` for a pattern that would match nothing at all or could take forever. */
export function compilePatterns(
  extra: readonly ExtraPattern[],
  allow: readonly (string | RegExp)[],
): TextPatterns {
  const rules = extra.map(({ name, pattern }) => ({
    rule: checkedName(name),
    pattern: compile(pattern, "gd", name),
  }));
  const strings = new Set(allow.filter((entry) => typeof entry === "string"));
  const patterns = allow
    .filter((entry) => entry instanceof RegExp)
    .map((entry) => compile(entry, "", "allow"));
  const greedy = new Set<string>();
  return {
    greedy,
    find: (text) =>
      rules.flatMap(({ rule, pattern }) => {
        const found = matches(text, rule, pattern);
        if (isMuch(text, found)) greedy.add(rule);
        return found;
      }),
    isAllowed: (secret) => strings.has(secret) || patterns.some((pattern) => pattern.test(secret)),
  };
}

/** In a short text, a quarter is soon a single secret. */
const MIN_LENGTH_TO_JUDGE = 1024;

function isMuch(text: string, found: readonly Span[]): boolean {
  if (text.length <= MIN_LENGTH_TO_JUDGE) return false;
  return found.reduce((sum, { start, end }) => sum + end - start, 0) > text.length / 4;
}

function matches(text: string, rule: string, pattern: RegExp): Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.["secret"] ?? match.indices?.[0] ?? [0, 0];
    if (end > start) found.push({ start, end, rule });
  }
  return found;
}

function compile(pattern: string | RegExp, addedFlags: string, name: string): RegExp {
  const source = typeof pattern === "string" ? pattern : pattern.source;
  const reason = explosiveBecause(source);
  if (reason !== undefined) throw unsafe(name, source, reason);
  // Without `g` and `y`, which make a pattern remember where it stopped.
  const flags = (typeof pattern === "string" ? "" : pattern.flags).replaceAll(/[gyd]/g, "") + addedFlags;
  const compiled = construct(source, flags, name);
  if (new RegExp(compiled, flags.replace("g", "")).test(""))
    throw unsafe(name, source, "it matches the empty text");
  return compiled;
}

function construct(source: string, flags: string, name: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    throw unsafe(name, source, "it is not a regular expression", cause);
  }
}

function checkedName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,39}$/.test(name)) return name;
  throw new CheckpointError("usage", `"${name}" cannot be the name of a redaction pattern.`, {
    hint: "Use at most 40 letters, digits, dots, dashes and underscores.",
    details: { name },
  });
}

function unsafe(name: string, source: string, reason: string, cause?: unknown): CheckpointError {
  return new CheckpointError("usage", `The redaction pattern "${name}" is refused: ${reason}.`, {
    hint: "Begin with fixed characters and give every repeat an upper bound, as in ACME-[A-Za-z0-9]{32,64}.",
    details: { name, source },
    cause,
  });
}

/** A repeat that has no fixed number: `*`, `+`, `{2,}`, `{2,5}`. A `?` decides once and costs little. */
const VARIABLE_REPEAT = /^(?:[*+]|\{([0-9]+),([0-9]*)\})/;

interface GroupTraits {
  hasRepeat: boolean;
  hasAlternatives: boolean;
}

/**
 * Why a regular expression could take exponential time, in words, or undefined if nothing obvious says so.
 *
 * Stricter than necessary: `(?:foo|bar)+` is refused as well, because telling it from `(?:a|a)+` takes more than a look
 * at its text. What passes may still be slow in proportion to the square of a line, which a user can afford.
 */
function explosiveBecause(source: string): string | undefined {
  const groups: GroupTraits[] = [{ hasRepeat: false, hasAlternatives: false }];
  let afterUnbounded = false;
  for (let index = 0; index < source.length;) {
    const character = source.charAt(index);
    if (/^\\(?:[1-9]|k<)/.test(source.slice(index, index + 3))) return "it refers back to a group";
    if (character === "(") groups.push({ hasRepeat: false, hasAlternatives: false });
    if (character === "|") groups.at(-1)!.hasAlternatives = true;
    const atomEnd = endOfAtom(source, index);
    const closed = character === ")" && groups.length > 1 ? groups.pop() : undefined;
    if (closed?.hasRepeat === true) groups.at(-1)!.hasRepeat = true;
    const repeat = VARIABLE_REPEAT.exec(source.slice(atomEnd, atomEnd + 24));
    if (repeat === null || character === "(" || character === "|") {
      if (character !== "(" && character !== ")") afterUnbounded = false;
      index = atomEnd;
      continue;
    }
    if (closed?.hasRepeat === true) return "it repeats a group that repeats something itself";
    if (closed?.hasAlternatives === true) return "it repeats a group of alternatives";
    const isUnbounded = repeat[2] === undefined || repeat[2] === "";
    if (isUnbounded && afterUnbounded) return "it has two endless repeats in a row";
    afterUnbounded = isUnbounded;
    groups.at(-1)!.hasRepeat = true;
    index = atomEnd + repeat[0].length;
  }
  return undefined;
}

/** Where the character, escape or class that begins at `index` ends. */
function endOfAtom(source: string, index: number): number {
  if (source[index] === "\\") {
    const braces = /^\\[pPu]\{[^}]*\}/.exec(source.slice(index, index + 48));
    return index + (braces?.[0].length ?? 2);
  }
  if (source[index] !== "[") return index + 1;
  let end = index + 1;
  while (end < source.length && source[end] !== "]") end += source[end] === "\\" ? 2 : 1;
  return end + 1;
}
