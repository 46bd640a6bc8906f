import type { Json } from "../objects/json.ts";
import type { TextPatterns } from "./custom-patterns.ts";
import { type KeyKind, ruleOf } from "./key-names.ts";
import { redactText, type RuleCounts } from "./redact-text.ts";
import { isPlaceholder, placeholder } from "./span.ts";
import { isSecretValue } from "./values.ts";

type ReportFinding = (rule: string, count: number) => void;

/** The string without its secrets: replaced as a whole if its name says so, and otherwise part by part. */
export function redactString(
  text: string,
  kind: KeyKind,
  patterns: TextPatterns,
  report: ReportFinding,
): string {
  const counts: RuleCounts = new Map();
  const redacted = redactText(text, patterns, { random: kind !== "reference" }, counts);
  // Also judged as it would be next time: redacting twice must change nothing more.
  const isSecret = isSecretValue(text, kind, "structure") || isSecretValue(redacted, kind, "structure");
  const isWhole = isSecret && !patterns.isAllowed(text);
  // A precise rule that takes the whole value names it better than its key does.
  if (isWhole && !isPlaceholder(redacted)) return replaceWhole(kind, report);
  for (const [rule, count] of counts) report(rule, count);
  return redacted;
}

/** A number is a secret only if it is called a password or a PIN and has at least four digits: others count something. */
export function redactNumber(
  value: number,
  kind: KeyKind,
  patterns: TextPatterns,
  report: ReportFinding,
): Json {
  if (kind !== "password" && kind !== "pin") return value;
  const isSecret = Number.isInteger(value) && value >= 1000 && !patterns.isAllowed(String(value));
  return isSecret ? replaceWhole(kind, report) : value;
}

function replaceWhole(kind: KeyKind, report: ReportFinding): string {
  const rule = ruleOf(kind);
  report(rule, 1);
  return placeholder(rule);
}
