import { BLANK, skipForward } from "./characters.ts";
import { cachedKeyKind, type KeyKind } from "./key-names.ts";
import { mayNameSecret } from "./obviously-plain.ts";
import type { Span } from "./span.ts";
import { keyBefore } from "./text-keys.ts";
import { bareValueAt, quotedValueAt, shellValueAt, type TextValue } from "./text-values.ts";
import { isPasswordLike, isSecretValue, type Notation } from "./values.ts";

/** Adds the secret in "the password is …", whose `is` begins at `start`. */
export function findSentence(text: string, start: number, end: number, found: Span[]): void {
  const key = keyBefore(text, start);
  if (key === undefined || text[end] !== " " || !mayNameSecret(key.name)) return;
  const kind = cachedKeyKind(key.name);
  if (kind !== "password" && kind !== "secret" && kind !== "token") return;
  const value = quotedValueAt(text, end + 1) ?? shellValueAt(text, end + 1);
  if (value === undefined) return;
  const secret = text.slice(value.start, value.end);
  const isPlausible =
    kind === "password" ? isSecretValue(secret, kind, "bare") : isPasswordLike(secret) && secret.length >= 8;
  if (isPlausible) found.push({ start: value.start, end: value.end, rule: kind });
}

const NETRC = /machine\s{1,8}\S{1,253}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}/y;

/** Adds the passwords of a `.netrc` file: `machine example.org login me password …`. */
export function findNetrc(text: string, found: Span[]): void {
  for (let at = text.indexOf("machine "); at >= 0; at = text.indexOf("machine ", at + 1)) {
    NETRC.lastIndex = at;
    if (NETRC.test(text)) addSecret(text, shellValueAt(text, NETRC.lastIndex), "password", "env", found);
  }
}

/** Adds the secret in `PASSWORD '…'` and `IDENTIFIED BY '…'`, as SQL has it, whose quotation mark is at `index`. */
export function findSqlPassword(text: string, index: number, found: Span[]): void {
  if (text[index] === "`" || text[index - 1] !== " ") return;
  const last = text.charAt(index - 2);
  if (last !== "d" && last !== "D" && last !== "y" && last !== "Y") return;
  if (
    !/(?:^|[\s(])(?:password|identified\s{1,4}(?:with\s{1,4}\S{1,64}\s{1,4})?by)\s{1,4}$/i.test(
      text.slice(Math.max(0, index - 96), index),
    )
  )
    return;
  addSecret(text, quotedValueAt(text, index), "password", "quoted", found);
}

/** Adds what follows `set` and a secret name: `aws configure set aws_secret_access_key …`. */
export function findSetting(text: string, start: number, end: number, found: Span[]): void {
  if (text[end] !== " " || text.slice(start - 4, start) !== "set ") return;
  const kind = cachedKeyKind(text.slice(start, end));
  if (kind !== "secret" && kind !== "token") return;
  addSecret(text, bareValueAt(text, skipForward(text, end, BLANK, 4)), kind, "bare", found);
}

function addSecret(
  text: string,
  value: TextValue | undefined,
  kind: KeyKind,
  notation: Notation,
  found: Span[],
): void {
  if (value !== undefined && isSecretValue(text.slice(value.start, value.end), kind, notation))
    found.push({ start: value.start, end: value.end, rule: kind });
}
