import { CheckpointError } from "../errors.ts";
import { explosiveBecause } from "./explosive.ts";
import type { Span } from "./span.ts";

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
