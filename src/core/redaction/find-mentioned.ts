import { isReference } from "./find-random.ts";
import { IDS, isGenerated } from "./randomness.ts";
import type { Span } from "./span.ts";
import { looksRandom } from "./looks-random.ts";
import { isHarmless } from "./values.ts";

/** Words for secrets, also inside of longer ones, and what makes or shows one. Few and short, since every text is searched for them. */
const NOUN =
  /assw(?:or)?[dt]|pass(?:phrase|code|e?\b)|(?<![0-9+/a-z])pwd|secret|token|cred(?:s|ential)|auth(?!or)|(?:api|access|private|master|license|product|recovery|backup|unseal)[ ._-]?(?:key|code)|log ?in\b|stringdata|senha|wachtwoord|kennwort|contrase|pwgen|openssl rand|keyring get/gi;
/** In languages that write them with other letters. */
const FOREIGN_NOUN =
  /has\u0142o|[\u041f\u043f]\u0430\u0440\u043e\u043b\u044c|\u5bc6[\u7801\u78bc]|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638/g;

/** How far from the noun its secret may stand: some lines after it, or before it in the same one. */
const REACH = 200;
const REACH_BACK = 80;

/** A word of a password, a command or a sentence, without what encloses it. */
const MAX_WORD_LENGTH = 256;
const CANDIDATE = /(?<![^\s"'`(){}[\]<>,;|\\\u0080-\uffff])[^\s"'`(){}[\]<>,;|\\\u0080-\uffff]{10,256}/g;

/**
 * Adds what looks random and stands near a word for secrets, whatever the notation: in the same line, as in
 * `enable secret …` and `creds: admin / …`, or in one of the next, as in what a command prints (`cat master.key`) and what is
 * announced ("your new password:"). Each word is judged once, however many nouns stand around it.
 */
export function findMentioned(text: string, found: Span[]): void {
  findAround(text, NOUN, found);
  findAround(text, FOREIGN_NOUN, found);
}

function findAround(text: string, pattern: RegExp, found: Span[]): void {
  let judged = 0;
  for (const { index, 0: noun } of text.matchAll(pattern)) {
    const end = index + noun.length;
    if (end + REACH <= judged || isReplaced(text, index)) continue;
    // With the character before, so that no piece of a word is taken for one.
    const from = Math.max(0, judged - 1, index - REACH_BACK);
    judged = end + REACH;
    for (const { index: at, 0: word } of text.slice(from, judged + MAX_WORD_LENGTH).matchAll(CANDIDATE)) {
      if (from + at >= judged) break;
      if (at === 0 && from > 0) continue;
      judge(text, from + at, word, noun, found);
    }
  }
}

/** Whether the noun is the name of a rule that found a secret before. */
function isReplaced(text: string, index: number): boolean {
  return /\[redacted:[\w-]{0,32}$/.test(text.slice(Math.max(0, index - 42), index));
}

function ruleFor(noun: string): string {
  if (/token/i.test(noun)) return "token";
  return /pass|assw|pw|[^\x20-\x7e]/i.test(noun) ? "password" : "secret";
}

/** Nouns that work is often about: near these, hashes and names of machines are more common than secrets. */
const WEAK_NOUN = /^(?:token|auth|log ?in)$/i;

/** Machines, images, checkpoints and branches: `api-7d9f8b6c5d-x2k9z`, `ckpt-20261118-004201-9ca232ba`. */
const OBJECT_NAME = /^[a-z0-9]{1,40}(?:[-_.:/][a-z0-9]{1,64}){1,8}$/;

/** `1:4.13+dfsg1-4ubuntu3.2`, `v0.0.0-20211104180415-d3ed0bb246c8`, and Go's sums of modules. */
const VERSION = /^(?:[0-9]{1,3}:)?v?[0-9]{1,8}\.[0-9]{1,8}|^h1:/;

/** `ParameterValue=…`, `admin:…`: what precedes the secret stays. */
const PREFIX = /^[A-Za-z_.@/-]{1,40}[:=](?=[^=:/])/;

function judge(text: string, at: number, word: string, noun: string, found: Span[]): void {
  // Most words are of small letters.
  if (!/[0-9A-Z]/.test(word)) return;
  const escape = text[at - 1] === "\\" && /^[nrt]/.test(word) ? 1 : 0;
  const prefix = escape + (PREFIX.exec(word.slice(escape))?.[0].length ?? 0);
  const value = word.slice(prefix).replace(/(?<!\.)[.,:;!?*]$/, "");
  const start = at + prefix;
  const end = start + value.length;
  // The name of a function, or a piece of something longer.
  if (/[([{]/.test(text.charAt(end)) || word.length === MAX_WORD_LENGTH) return;
  const isWeak = WEAK_NOUN.test(noun);
  if (VERSION.test(value) || (isWeak && (OBJECT_NAME.test(value) || IDS.test(value)))) return;
  const isSecret =
    looksRandom(value, /[0-9]/.test(value) && !isWeak ? 4 : 12) ||
    (!isWeak && isAlone(text, start, end) && isGenerated(value));
  if (isSecret && !isHarmless(value) && !FILE_OR_ADDRESS.test(value) && !isReference(text, start, value))
    found.push({ start, end, rule: ruleFor(noun) });
}

/** Files that are named by their content, and mail addresses. */
const FILE_OR_ADDRESS = /\.[a-z][a-z0-9]{0,4}$|^[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}$/;

/** Whether nothing else stands on the line. */
function isAlone(text: string, start: number, end: number): boolean {
  return (
    /(?:\n|\\n)[ \t]{0,8}$/.test(text.slice(Math.max(0, start - 10), start)) &&
    /^=?[ \t]{0,8}(?:\r?\n|\\|["'`]|$)/.test(text.slice(end, end + 10))
  );
}
