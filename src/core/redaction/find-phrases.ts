import type { KeyKind } from "./key-names.ts";
import { BACKSLASH, skipBack } from "./scan.ts";
import type { Span } from "./span.ts";
import { quotedValueAt, type TextValue } from "./names-and-values.ts";
import { isSecretValue, type Notation } from "./values.ts";

/** Adds the secret in `PASSWORD '…'` and `IDENTIFIED BY '…'`, as SQL has it, and PowerShell's `ConvertTo-SecureString "…"`, whose quotation mark is at `index`. */
export function findQuotedPassword(text: string, index: number, found: Span[]): void {
  const opening = skipBack(text, index, BACKSLASH, 7);
  if (text[index] === "`" || text[opening - 1] !== " ") return;
  const last = text.charAt(opening - 2);
  if (last !== "d" && last !== "D" && last !== "y" && last !== "Y" && last !== "g") return;
  if (
    !/(?:^|[\s("'`=]|\\n)(?:password|identified\s{1,4}(?:with\s{1,4}\S{1,64}\s{1,4})?by|ConvertTo-SecureString(?:\s{1,4}-String)?)\s{1,4}$/i.test(
      text.slice(Math.max(0, opening - 96), opening),
    )
  )
    return;
  addSecret(text, quotedValueAt(text, opening), "password", "quoted", found);
}

export function addSecret(
  text: string,
  value: TextValue | undefined,
  kind: KeyKind,
  notation: Notation,
  found: Span[],
): void {
  if (value !== undefined && isSecretValue(text.slice(value.start, value.end), kind, notation))
    found.push({ start: value.start, end: value.end, rule: kind });
}
