import type { TextPatterns } from "./custom-patterns.ts";
import { redactText, type RuleCounts } from "./redact-text.ts";

const NO_RULES: RuleCounts = new Map();
/** Nothing that is recognised by its looks is shorter. */
const MIN_LENGTH = 12;

/**
 * The name of a property without secrets: a map may have tokens or addresses with passwords as its keys.
 * Two that would become the same are told apart by a number, so that no value is lost.
 */
export function redactKey(
  key: string,
  patterns: TextPatterns,
  isTaken: (name: string) => boolean,
): { name: string; rules: RuleCounts } {
  if (key.length < MIN_LENGTH) return { name: key, rules: NO_RULES };
  const rules: RuleCounts = new Map();
  const redacted = redactText(key, patterns, { random: false }, rules);
  if (redacted === key) return { name: key, rules: NO_RULES };
  let name = redacted;
  for (let number = 2; isTaken(name); number += 1) name = `${redacted} (${number})`;
  return { name, rules };
}
