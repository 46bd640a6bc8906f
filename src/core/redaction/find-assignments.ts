import { BACKSLASH, BLANK, isOneOf, OPERATOR, QUOTE, skipForward } from "./scan.ts";
import { findArguments } from "./find-calls.ts";
import { findHeaderValue } from "./find-headers.ts";
import { cachedKeyKind, type KeyKind, ruleOf, mayNameSecret, namesSecret } from "./key-names.ts";
import type { Span } from "./span.ts";
import {
  keyBefore,
  MAX_BLANKS,
  type TextKey,
  bareValueAt,
  elementValueAt,
  quotedValueAt,
  shellValueAt,
  type TextValue,
  wholeEnd,
} from "./names-and-values.ts";
import { isOptionSecret, letters, optionKind } from "./option-values.ts";
import { isGenerated } from "./randomness.ts";
import { isSecretValue, type Notation } from "./values.ts";

/** Adds the secret that follows the delimiter at `index`, if the name before it says that one does. */
export function findAssignment(text: string, index: number, found: Span[]): void {
  const key = keyOf(text, index);
  if (key === undefined) return;
  const kind = kindOf(text, key);
  if (!namesSecret(kind)) return;
  const from = skipForward(text, index + 1, BLANK, MAX_BLANKS);
  if (kind === "authorization" || kind === "cookie") {
    findHeaderValue(text, from, kind, found);
    return;
  }
  if (kind === "weak" && text[from] === "(") return findArguments(text, from, found);
  const notation = notationOf(text, index, key);
  const value = valueAt(text, from, notation, text[index] === ":");
  if (value === undefined || (!value.isQuoted && isCode(text, key, value))) return;
  const word = text.slice(value.start, value.end);
  // `Auth.Basic = Basic`, `"image_pull_secrets": "imagePullSecrets"`
  if (!value.isQuoted && key.name.endsWith(word)) return;
  if (/[_-]|[a-z][A-Z]/.test(key.name) && letters(word) === letters(key.name)) return;
  // `vncpasswd: password="…"`: what follows is a name once more.
  const isName = /^[\w.-]{1,64}[:=]$/.test(word) && namesSecret(cachedKeyKind(word.slice(0, -1)));
  if (!value.isQuoted && isName && isOneOf(text, value.end, QUOTE | BACKSLASH)) return;
  const isSecret = (part: string) =>
    isOption(key)
      ? isOptionSecret(key.name, part, value.isQuoted ? "structure" : "bare")
      : isSecretValue(part, kind, judgedAs(text, notation, key, value));
  // Decoded, a line may be followed by the next parameter of its address, or by a tag.
  const part = value.isQuoted ? word : word.replace(/(?:&[\w.-]{1,64}=|<\/).{0,512}$/s, "");
  const end = isSecret(word) ? wholeEnd(text, value) : isSecret(part) ? value.start + part.length : undefined;
  if (end !== undefined) found.push({ start: value.start, end, rule: ruleOf(kind) });
}

function valueAt(
  text: string,
  from: number,
  notation: Notation,
  isAfterColon: boolean,
): TextValue | undefined {
  if (notation === "element") return elementValueAt(text, from);
  // N'…' in SQL, b'…' in Python
  const start = /^[NbBrRfFuU]["']/.test(text.slice(from, from + 2)) ? from + 1 : from;
  if (notation === "env") return shellValueAt(text, start);
  return quotedValueAt(text, start) ?? bareValueAt(text, from, isAfterColon);
}

/** The name before the delimiter, unless the delimiter is part of a comparison, an arrow or a type annotation. */
function keyOf(text: string, index: number): TextKey | undefined {
  const before = text[index - 1];
  const delimiter = text[index];
  const after = text[index + 1];
  if (delimiter === ">")
    return before === "=" ? quotedOnly(keyBefore(text, index - 1)) : tagBefore(text, index);
  if (after === "=" || after === ":" || (delimiter === "=" && after === ">")) return undefined;
  if (delimiter === "=" && before === ":") return keyBefore(text, index - 1);
  if (isOneOf(text, index - 1, OPERATOR)) return undefined;
  const key = keyBefore(text, index);
  return key?.isQuoted === true && isChoice(text, key) ? undefined : key;
}

/** `isNew ? "password" : "token"` chooses between two words. */
function isChoice(text: string, key: TextKey): boolean {
  return /\?\s{0,16}\\{0,4}["'`]$/.test(text.slice(Math.max(0, key.start - 24), key.start));
}

/** `"password" => "…"` sets a value in PHP and Ruby; `token => …` is a function in JavaScript. */
function quotedOnly(key: TextKey | undefined): TextKey | undefined {
  return key?.isQuoted === true ? key : undefined;
}

/** `password` in `<password>` or `<property name="password">` */
function tagBefore(text: string, index: number): TextKey | undefined {
  const key = keyBefore(text, index);
  if (key === undefined || text[key.start - 1] === "<") return key;
  const isNamed = key.isQuoted && /<\w{1,32} (?:name|key|id)=\\{0,4}["']$/.test(textBefore(text, key));
  return isNamed ? key : undefined;
}

const textBefore = (text: string, { start }: TextKey) => text.slice(Math.max(0, start - 48), start);

/** Parameters of an address that carry its signature. Elsewhere these words are too common. */
const SIGNATURES = /^(?:sig|signature|x-(?:amz|goog)-signature|x-amz-security-token)$/i;

function kindOf(text: string, key: TextKey): KeyKind {
  if (/^(?:value|default)$/i.test(key.name)) return describedKind(text, key);
  if (/[?&]/.test(text.charAt(key.start - 1))) {
    if (SIGNATURES.test(key.name)) return "secret";
    // Maps, translations and weather are asked for with a key in the address.
    if (/^(?:app_?)?(?:key|id)$/i.test(key.name)) return "opaque";
  }
  if (SERVICE_HEADER.test(key.name) && /[:=]/.test(text.charAt(key.start + key.name.length)))
    return cachedKeyKind(key.name) === "plain" ? "opaque" : cachedKeyKind(key.name);
  // A setting may be called anything; that its value was generated says enough.
  if (
    SETTING.test(key.name) &&
    text[key.start + key.name.length] === "=" &&
    cachedKeyKind(key.name) === "plain"
  )
    return "opaque";
  // In `cache:key:12` it is a part of a name.
  if (/^ ?(?:key|api)$/i.test(key.name) && text[key.start - 1] !== ":") return "opaque";
  if (!mayNameSecret(key.name)) return "plain";
  return isOption(key) || /\s\/$/.test(textBefore(text, key))
    ? optionKind(key.name)
    : cachedKeyKind(key.name);
}

/** Services tell by headers of their own who calls (`X-Honeycomb-Team: …`), but also which request it was. */
const SERVICE_HEADER =
  /^x-(?!.*(?:request|trace|span|correlation|delivery|cache|context|etag|nonce|hash|sum|digest|sha|md5|version|build|served|runtime|ray))[\w-]{2,40}$/i;

/** But for settings that name something. */
const SETTING =
  /^(?!.*(?:NAME|TAG|VERSION|ID|PROJECT|VPC|SEED|COLORS|PRICE|HOST|URL|PATH|DIR|FILE|IMAGE|SHA|COMMIT|REF|REVISION|BUILD|HASH|DIGEST|CACHE)$)[A-Z][A-Z0-9]{1,24}(?:_[A-Z0-9]{1,24}){1,6}$/;

/** `--token=…` */
const isOption = ({ name, isQuoted }: TextKey) => name.startsWith("-") && !isQuoted;

/** What `variable "db_password" {…`, `name: API_KEY` or `key="Password"` says before `default = …` or `value: …`. */
const DESCRIBED =
  /(?:^|[^\w]|\\[nrt])(?:name|key|variable|parameter)["'\\]{0,4}[ \t]{0,4}[:=]?[ \t]{0,4}["'\\]{0,4}([\w.-]{2,64})["'\\]{0,4}[ \t]{0,4}[{,]?[^{}]{0,200}$/i;

function describedKind(text: string, key: TextKey): KeyKind {
  const name = DESCRIBED.exec(text.slice(Math.max(0, key.start - 240), key.start))?.[1];
  return name === undefined ? "plain" : cachedKeyKind(name);
}

function notationOf(text: string, index: number, key: TextKey): Notation {
  if (text[index] === ">") return text[index - 1] === "=" ? "json" : "element";
  if (/[?&;]/.test(text.charAt(key.start - 1)) || isInConnection(text, key)) return "query";
  if (text[index] !== "=") return "bare";
  const isTight = !/\s/.test(text.charAt(index - 1)) && !/\s/.test(text.charAt(index + 1));
  return isTight && (!/[a-z]/.test(key.name) || isOption(key) || startsLine(text, key)) ? "env" : "bare";
}

/** `host=db user=app password=…`, as PostgreSQL's programs take it. */
const CONNECTION =
  /(?:^|[\s"'`])(?:host(?:addr)?|dbname|user|port|service|sslmode)=[^\s,;()"'`]{1,253}(?=[\s"'`\\])/;

function isInConnection(text: string, key: TextKey): boolean {
  if (key.isQuoted || text[key.start + key.name.length] !== "=") return false;
  const line = text.slice(Math.max(0, key.start - 160), key.start + 320);
  return CONNECTION.test(line.split("\n").find((part) => part.includes(`${key.name}=`)) ?? "");
}

/** A quoted value says more about its notation than the delimiter does, and so does a line of its own. */
function judgedAs(text: string, notation: Notation, key: TextKey, value: TextValue): Notation {
  if (notation !== "bare") return notation;
  if (value.isQuoted) return key.isQuoted ? "json" : "quoted";
  return startsLine(text, key) && /^(?:\r?\n|\\|["'`]|$)/.test(text.slice(value.end, value.end + 2))
    ? "line"
    : "bare";
}

function startsLine(text: string, key: TextKey): boolean {
  return /(?:^|[\n\r"'`]|\\n)[+-]?[ \t]{0,32}(?:- |export |set |ENV |env )?["']?$/.test(
    text.slice(Math.max(0, key.start - 48), key.start),
  );
}

/** `getToken(…)`, `tokens[0]`, `config.token`, `auth::token`: what follows the delimiter is an expression. */
function isCode(text: string, key: TextKey, value: TextValue): boolean {
  if (
    /^(?:[([{]|<(?!\/))/.test(text.slice(value.end, value.end + 2)) ||
    text.slice(value.start, value.end).includes("::")
  )
    return true;
  const expression = text.slice(value.start, value.end);
  // Python writes arguments without blanks: `password=dict(…)`, one on each line.
  if (/[a-z]/.test(key.name) && /^[A-Za-z_.]{2,64}[([]/.test(expression)) return true;
  // Names end in one digit or two; `Copper.lantern204` is a password.
  return (
    !/[0-9]{3}[!?]?$/.test(expression) &&
    /^[A-Za-z_$][\w$]{0,64}(?:[?!]?\.[A-Za-z_$][\w$]{0,64}){1,16}[!?]?$/.test(expression) &&
    !isGenerated(expression)
  );
}
