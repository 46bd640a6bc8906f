import { cachedKeyKind, type KeyKind, namesSecret, ruleOf } from "./key-names.ts";
import { isReference } from "./find-random.ts";
import { isGenerated } from "./randomness.ts";
import type { Span } from "./span.ts";
import { isDrawn } from "./strangeness.ts";
import { isHarmless } from "./values.ts";

/** What may be printed or announced. Of other names only what is assigned to them counts. */
const NOUN = /passw|passphrase|secret|token|credential|creds|key|auth|pass$|pwd$/i;

/** How far from the noun its secret may stand, and how many lines. */
const REACH = 200;
const MAX_LINES = 5;
const MAX_NAME_LENGTH = 64;

/** A word of a password, a command or a sentence, without what encloses it. */
const WORD = /[^\s"'`(){}[\]<>,;|\\]{10,256}/g;
const LINE_BREAK = /\r?\n|(?:\\{1,7}r)?\\{1,7}n/g;

/**
 * Adds what was obviously generated and stands near a word for secrets, whatever the notation: in the same line, as in
 * `enable secret …` and `creds: admin / …`, or in one of the next, as in what a command prints (`cat master.key`) and what is
 * announced ("your new password:").
 *
 * Returns how far it has looked, which is where it begins next time: each word is judged once.
 */
export function findMentioned(text: string, start: number, end: number, from: number, found: Span[]): number {
  if (end - start > MAX_NAME_LENGTH || end + REACH <= from) return from;
  // What stands for a secret that was found before.
  if (text.startsWith("[redacted:", start - 10)) return from;
  const name = text.slice(start, end);
  if (!NOUN.test(name)) return from;
  const kind = cachedKeyKind(name);
  if (!namesSecret(kind) || kind === "opaque" || isDrawn(name)) return from;
  const stop = reachOf(text, end);
  if (stop <= from) return from;
  const begin = Math.max(end, from);
  for (const { index, 0: word } of text.slice(begin, stop).matchAll(WORD))
    judge(text, begin + index, word, kind, found);
  return stop;
}

/** The end of the lines that a noun at `end` may speak of. */
function reachOf(text: string, end: number): number {
  const near = text.slice(end, end + REACH);
  let lines = 0;
  for (const { index } of near.matchAll(LINE_BREAK)) {
    lines += 1;
    if (lines >= MAX_LINES) return end + index;
  }
  if (near.length < REACH) return text.length;
  // No word is cut.
  const rest = /^[^\s"'`(){}[\]<>,;|\\]{0,256}/.exec(text.slice(end + REACH, end + REACH + 256))?.[0] ?? "";
  return end + REACH + rest.length;
}

function judge(text: string, at: number, word: string, kind: KeyKind, found: Span[]): void {
  const escape = text[at - 1] === "\\" && /^[nrt]/.test(word) ? 1 : 0;
  const prefix = escape + (/^[A-Za-z_.-]{1,40}[:=](?=[^=:/])/.exec(word.slice(escape))?.[0].length ?? 0);
  const value = word.slice(prefix).replace(/(?<!\.)[.,:;!?*]$/, "");
  const start = at + prefix;
  const end = start + value.length;
  if (/[([.]/.test(text.charAt(end)) && text[end] !== ".") return;
  const isSecret =
    isDrawn(value, /[0-9]/.test(value) ? 4 : 12) || (isAlone(text, start, end) && isGenerated(value));
  if (isSecret && !isHarmless(value) && !FILE.test(value) && !isReference(text, start, value)) found.push({ start, end, rule: ruleOf(kind) });
}

/** Files that are named by their content, and mail addresses. */
const FILE = /\.[a-z][a-z0-9]{0,4}$|^[\w.+-]+@[\w.-]+$/;

/** Whether nothing else stands on the line. */
function isAlone(text: string, start: number, end: number): boolean {
  return (
    /(?:\n|\\n)[ \t]{0,8}$/.test(text.slice(Math.max(0, start - 10), start)) &&
    /^=?[ \t]{0,8}(?:\r?\n|\\|["'`]|$)/.test(text.slice(end, end + 10))
  );
}
