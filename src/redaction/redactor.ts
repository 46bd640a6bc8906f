import type { Json } from "../objects/json.ts";
import { compilePatterns, type ExtraPattern } from "./custom-patterns.ts";
import { type Finding, redactJson } from "./redact-json.ts";
import { redactText, type RuleCounts } from "./redact-text.ts";

export type { ExtraPattern } from "./custom-patterns.ts";
export type { Finding } from "./redact-json.ts";

export interface RedactorOptions {
  /** Formats of secrets to add to the built-in ones. */
  readonly extraPatterns?: readonly ExtraPattern[];
  /** What is never redacted: a string that must be equal to the secret found, or a pattern that must match in it. */
  readonly allow?: readonly (string | RegExp)[];
}

export interface Redactor {
  /**
   * A copy of a JSON value in which each secret is `[redacted:<rule>]`, and where that was. Never changes its input.
   * Parts without secrets are the same objects as before, so that an encoder recognises them; redacting twice
   * changes nothing more. What has `toJSON` must have been converted before.
   */
  readonly redact: <T extends Json>(value: T) => { value: T; findings: Finding[] };
  /** The same for a single text, such as a command or a note. */
  readonly redactText: (text: string) => { value: string; findings: Finding[] };
  /** The names of extra patterns that have removed more than a quarter of a text over 1 KB so far. */
  readonly greedyPatterns: ReadonlySet<string>;
}

/**
 * Makes a redactor. Throws `usage` if an extra pattern matches the empty text or could take forever.
 *
 * @example
 * const redactor = createRedactor({ extraPatterns: [{ name: "acme-key", pattern: "ACME-[A-Z0-9]{20,40}" }] });
 * const { value, findings } = redactor.redact({ variables: { db_password: "hunter2" } });
 * // value:    { variables: { db_password: "[redacted:password]" } }
 * // findings: [{ path: ["variables", "db_password"], rule: "password", count: 1 }]
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const patterns = compilePatterns(options.extraPatterns ?? [], options.allow ?? []);
  return {
    greedyPatterns: patterns.greedy,
    redact<T extends Json>(value: T) {
      const { value: redacted, findings } = redactJson(value, patterns);
      // Only strings, and numbers under names of passwords, become other strings: the shape is the same.
      return { value: redacted as T, findings };
    },
    redactText(text) {
      const counts: RuleCounts = new Map();
      const value = redactText(text, patterns, { random: true }, counts);
      return { value, findings: Array.from(counts, ([rule, count]) => ({ path: [], rule, count })) };
    },
  };
}
