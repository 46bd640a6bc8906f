import type { Armour } from "./find-announced.ts";
import { cachedKeyKind } from "./key-names.ts";
import { IDS, isNamedObject, isPrefixedKey, isRandomToken } from "./randomness.ts";
import { lastFrom, type Span } from "./span.ts";
import { keyBefore } from "./names-and-values.ts";

/** Adds the token if it looks random and nothing says that it is an id, a hash, data or part of an address. */
export function findRandom(
  text: string,
  start: number,
  end: number,
  armour: readonly Armour[],
  found: Span[],
): void {
  const token = text.slice(start, end);
  // Most long words are of small letters, as paths and names are.
  if (!/[0-9A-Z]/.test(token) || PATH.test(token)) return;
  const isKey = isPrefixedKey(token) && !CONSTANT.test(token);
  if (!isKey && (!isRandomToken(token) || isId(token))) return;
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  if (isReferred(before) || isLineOfData(text, start, end)) return;
  if (!isKey && FILE_ENDING.test(text.slice(end, end + 7))) return;
  if (end <= (lastFrom(armour, start)?.end ?? 0)) return;
  // Of a pair, as `id:secret`, the first part goes as well if it is no word.
  const first = /(?<![\w-])(?=[\w-]*[0-9A-Z])[\w-]{8,32}[:!]$/.exec(before.slice(-34))?.[0] ?? "";
  found.push({ start: start - first.length, end, rule: "random-token" });
}

/** Whether what begins at `start` is an id, a hash, data or part of an address, by its looks or by what precedes it. */
export function isReference(text: string, start: number, token: string): boolean {
  return isId(token) || isReferred(text.slice(Math.max(0, start - MAX_BEFORE), start));
}

const isId = (token: string) => isNamedObject(token) || IDS.test(token) || CONSTANT.test(token);

/** `COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR` */
const CONSTANT = /^[A-Z]{3,20}[0-9]{0,2}(?:_(?:[A-Z]{2,20}[0-9]{0,2}|[0-9]{1,3}(?:x[0-9]{1,3})?)){2,12}$/;

function isReferred(before: string): boolean {
  if (HASH_BEFORE.test(before) || (isInUrl(before) && !PARAMETER.test(before))) return true;
  return isNamedReference(before);
}

const MAX_BEFORE = 512;

/** A folder with an ordinary name, then a file with a random one. */
const PATH = /^(?:\/[a-z._-]{2,20}|[a-z]{3,20})\//;

/** Bundlers put a random piece into the names of files. */
const FILE_ENDING = /^\.[a-z][a-z0-9]{0,4}(?![A-Za-z0-9_-])/;

const HASH_BEFORE =
  /(?:(?:sha-?[0-9]{1,3}|md5|h1|blake[0-9a-z]{0,3}|crc32c?)[-:= ]|base64,|W\/"|@|integrity[=:"' ]{1,4})$/i;

/** A random token is one in the query of an address, too. */
const PARAMETER = /[?&#][\w.-]{1,64}=[\w.~-]{0,16}$/;

/** An address without a password is not a secret, however random its path: documents, videos and pages have such names. */
function isInUrl(before: string): boolean {
  const scheme = before.lastIndexOf("://");
  return scheme >= 0 && !/[\s"'`<>,|]/.test(before.slice(scheme));
}

/** One of several lines of base64, all but the last of which are equally long. */
function isLineOfData(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < 60) return false;
  const before = /(?:^|\n)([A-Za-z0-9+/=]{60,256})\r?\n$/.exec(
    text.slice(Math.max(0, start - 260), start),
  )?.[1];
  const after = /^\r?\n([A-Za-z0-9+/=]{1,256})(?:\r?\n|$)/.exec(text.slice(end, end + 260))?.[1];
  return (
    before?.length === length || after?.length === length || (before !== undefined && before.length >= length)
  );
}

/** `"commit": "…"`, `id=…`, `checksum: …` */
function isNamedReference(before: string): boolean {
  const named = before.replace(/["'`\\ ]{0,8}$/, "");
  if (!/[:=]$/.test(named)) return false;
  const key = keyBefore(named, named.length - 1);
  return key !== undefined && cachedKeyKind(key.name) === "reference";
}
