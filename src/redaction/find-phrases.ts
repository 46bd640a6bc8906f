import { findHeaderValue } from "./find-headers.ts";
import { cachedKeyKind, type KeyKind, ruleOf, mayNameSecret, namesSecret } from "./key-names.ts";
import { isGenerated } from "./randomness.ts";
import { BACKSLASH, BLANK, skipBack, skipForward } from "./scan.ts";
import type { Span } from "./span.ts";
import { keyBefore, quotedValueAt, shellValueAt, type TextValue } from "./names-and-values.ts";
import { isPasswordLike, isSecretValue, type Notation } from "./values.ts";

const MAX_NAME_LENGTH = 96;

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

/** Adds the secret in `header("Authorization", "Bearer …")` and `set("api_key", "…")`, whose opening quotation mark is at `index`. */
export function findArgument(text: string, index: number, found: Span[]): void {
  const opening = skipBack(text, index, BACKSLASH, 7);
  if (text[opening - 1] !== " " && text[opening - 1] !== ",") return;
  const name = ARGUMENT.exec(text.slice(Math.max(0, opening - 88), opening))?.[1] ?? "";
  if (!mayNameSecret(name)) return;
  const kind = cachedKeyKind(name);
  if (kind === "authorization") return findHeaderValue(text, opening, kind, found);
  const value = quotedValueAt(text, opening);
  if (kind === "plain" || kind === "reference" || value === undefined) return;
  const secret = text.slice(value.start, value.end);
  // Only settings are called so: `define("DB_PASSWORD", "…")`. Small letters may as well be a label.
  const isSetting =
    text[index] !== "`" &&
    /^[A-Z0-9]{1,40}_[A-Z0-9_]{1,40}$/.test(name) &&
    isSecretValue(secret, kind, "quoted");
  if (isSetting || isGenerated(secret))
    found.push({ start: value.start, end: value.end, rule: ruleOf(kind) });
}

const ARGUMENT = /\( ?\\{0,7}["'`]([\w.-]{4,48})\\{0,7}["'`], {0,16}$/;

/** Adds the secret in `PASSWORD '…'` and `IDENTIFIED BY '…'`, as SQL has it, and PowerShell's `ConvertTo-SecureString "…"`, whose quotation mark is at `index`. */
export function findSqlPassword(text: string, index: number, found: Span[]): void {
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

/** `gh secret set API_KEY --body …`, `--name API_KEY --type SecureString --value …`, `secret put API_KEY <<< …`, `| API_KEY | … |` */
const JOINT = /^(?:(?:-{1,2}[a-z-]{1,20}[ =][A-Za-z]{1,20} ){0,3}-{1,2}[a-z]{1,12}[ =]|<<< ?|\| {1,16})/;

/** Adds what follows a name and a blank: `aws configure set aws_secret_access_key …`, `setx API_KEY …`. */
export function findSetting(text: string, start: number, end: number, found: Span[]): void {
  const name = text.slice(Math.max(start, end - MAX_NAME_LENGTH), end);
  // A word of prose has no joints: "the password field".
  if (!/[A-Za-z0-9][_.-][A-Za-z]/.test(name) || name.startsWith("-") || !mayNameSecret(name)) return;
  const kind = cachedKeyKind(name);
  if (!namesSecret(kind)) return;
  const next = skipForward(text, end, BLANK, 4);
  const joint = JOINT.exec(text.slice(next, next + MAX_NAME_LENGTH))?.[0].length ?? 0;
  const value = shellValueAt(text, next + joint);
  if (value === undefined) return;
  const secret = text.slice(value.start, value.end);
  // The next option, or what a synopsis has in brackets.
  if (/^[-([]/.test(secret)) return;
  const isSet = /\bset ["']?$/.test(text.slice(Math.max(0, start - 8), start));
  if (
    isGenerated(secret) ||
    (isSet
      ? isSecretValue(secret, kind, "bare")
      : kind !== "weak" && kind !== "opaque" && isPasswordLike(secret))
  )
    found.push({
      start: value.start,
      end: value.end,
      rule: ruleOf(kind),
    });
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
