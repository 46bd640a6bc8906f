import { BACKSLASH, BLANK, skipBack, skipForward } from "./characters.ts";
import { cachedKeyKind, type KeyKind, ruleOf } from "./key-names.ts";
import { mayNameSecret } from "./obviously-plain.ts";
import { isGenerated } from "./randomness.ts";
import type { Span } from "./span.ts";
import { keyBefore } from "./text-keys.ts";
import { quotedValueAt, shellValueAt, type TextValue } from "./text-values.ts";
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

/** Passwords whose place only the command or the file format knows: the last group, after words that begin with `start`. */
const POSITIONAL: readonly { readonly start: string; readonly pattern: RegExp }[] = [
  {
    start: "machine ",
    pattern: /machine\s{1,8}\S{1,253}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}/y,
  },
  { start: "mc alias set ", pattern: /mc alias set (?:--?\S{1,40} ){0,4}\S{1,128} \S{1,253} \S{1,128} /y },
  { start: "mc config host add ", pattern: /mc config host add \S{1,128} \S{1,253} \S{1,128} /y },
  {
    start: "htpasswd ",
    pattern:
      /htpasswd (?:-\S{1,20} ){0,6}-[A-Za-z]{0,6}b[A-Za-z]{0,6} (?:-\S{1,20} ){0,6}\S{1,253} \S{1,128} /y,
  },
  { start: "http-basic.", pattern: /http-basic\.\S{1,253} \S{1,128} /y },
  { start: "-oauth.", pattern: /-oauth\.\S{1,253} /y },
];

/** Adds the passwords that stand at their place: `.netrc`, `mc alias set`, `htpasswd -b`, `composer config http-basic.…`. */
export function findPositional(text: string, found: Span[]): void {
  for (const { start, pattern } of POSITIONAL) {
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      pattern.lastIndex = at;
      if (pattern.test(text))
        addSecret(text, shellValueAt(text, pattern.lastIndex), "password", "env", found);
    }
  }
}

/** Adds the secret in `PASSWORD '…'` and `IDENTIFIED BY '…'`, as SQL has it, and PowerShell's `ConvertTo-SecureString "…"`, whose quotation mark is at `index`. */
export function findSqlPassword(text: string, index: number, found: Span[]): void {
  const opening = skipBack(text, index, BACKSLASH, 7);
  if (text[index] === "`" || text[opening - 1] !== " ") return;
  const last = text.charAt(opening - 2);
  if (last !== "d" && last !== "D" && last !== "y" && last !== "Y" && last !== "g") return;
  if (
    !/(?:^|[\s(])(?:password|identified\s{1,4}(?:with\s{1,4}\S{1,64}\s{1,4})?by|ConvertTo-SecureString(?:\s{1,4}-String)?)\s{1,4}$/i.test(
      text.slice(Math.max(0, opening - 96), opening),
    )
  )
    return;
  addSecret(text, quotedValueAt(text, opening), "password", "quoted", found);
}

/** Adds what follows a name and a blank: `aws configure set aws_secret_access_key …`, `setx API_KEY …`. */
export function findSetting(text: string, start: number, end: number, found: Span[]): void {
  const name = text.slice(Math.max(start, end - MAX_NAME_LENGTH), end);
  // A word of prose has no joints: "the password field".
  if (!/[A-Za-z0-9][_.-][A-Za-z]/.test(name) || name.startsWith("-") || !mayNameSecret(name)) return;
  const kind = cachedKeyKind(name);
  if (kind === "plain" || kind === "reference") return;
  const next = skipForward(text, end, BLANK, 4);
  // `gh secret set API_KEY --body …`
  const option = /^-{1,2}[a-z]{1,12}[ =]/.exec(text.slice(next, next + 16))?.[0].length ?? 0;
  const value = shellValueAt(text, next + option);
  if (value === undefined) return;
  const secret = text.slice(value.start, value.end);
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
