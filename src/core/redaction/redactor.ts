import type { Json } from "../objects/json.ts";
import { compilePatterns, type ExtraPattern, type TextPatterns } from "./custom-patterns.ts";
import type { SecretMemory } from "./find-remembered.ts";
import { type Finding, redactJson } from "./redact-json.ts";
import { redactText, type RuleCounts } from "./redact-text.ts";

export type { ExtraPattern } from "./custom-patterns.ts";
export type { SecretMemory } from "./find-remembered.ts";
export type { Finding } from "./redact-json.ts";

export interface RedactorOptions {
  /** Formats of secrets to add to the built-in ones. */
  readonly extraPatterns?: readonly ExtraPattern[];
  /** What is never redacted: a string that must be equal to the secret found, or a pattern that must match in it. */
  readonly allow?: readonly (string | RegExp)[];
  /** Finds secrets again that were found before, also without their names. */
  readonly memory?: SecretMemory | undefined;
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

/** Most users add nothing to the built-in rules. */
const NO_PATTERNS: TextPatterns = { find: () => [], greedy: new Set(), isAllowed: () => false };

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
  const { extraPatterns = [], allow = [], memory } = options;
  const hasOwn = extraPatterns.length > 0 || allow.length > 0;
  const own = hasOwn ? compilePatterns(extraPatterns, allow) : NO_PATTERNS;
  const patterns = memory === undefined ? own : { ...own, memory };
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

/** What is new in a commit, and why it is made. */
export interface Fresh<Parts extends object> {
  readonly fresh: Parts;
  readonly notes: string | undefined;
}

export interface RedactedFresh<Parts extends object> extends Fresh<Parts> {
  /** How many secrets there were, never which; undefined when there was none. */
  readonly message?: string;
  /** Which of the configured patterns removed much; undefined when none did. */
  readonly warning?: string;
}

/** The project's own rules, by the names that its configuration has for them. */
export interface RedactionSettings {
  readonly redact: readonly ExtraPattern[];
  readonly redact_allow: readonly string[];
  readonly memory?: SecretMemory | undefined;
}

/** What is new, without its secrets. */
export function redactFresh<Parts extends object>(
  { fresh, notes }: Fresh<Parts>,
  { redact, redact_allow, memory }: RedactionSettings,
): RedactedFresh<Parts> {
  const redactor = createRedactor({ extraPatterns: redact, allow: redact_allow, memory });
  const { value, findings } = redactor.redact(fresh as unknown as Json);
  const text = notes === undefined ? undefined : redactor.redactText(notes);
  const count = [...findings, ...(text?.findings ?? [])].reduce((sum, finding) => sum + finding.count, 0);
  const warning = greedyWarning(redactor);
  const clean = { fresh: value as unknown as Parts, notes: text?.value, ...(warning && { warning }) };
  if (count === 0) return clean;
  const what = count === 1 ? "One secret was" : `${count} secrets were`;
  return { ...clean, message: `${what} left out: checkpoints never hold passwords, keys or tokens.` };
}

/** What to say of configured patterns that removed much, which cannot be undone. */
export function greedyWarning({ greedyPatterns }: Redactor): string | undefined {
  if (greedyPatterns.size === 0) return undefined;
  const names = [...greedyPatterns].join(", ");
  return `More than a quarter of a text was removed for good by a redaction pattern of your configuration: ${names}.`;
}
