import { type KeyKind, keyKind, namesSecret } from "./key-names.ts";
import { isGenerated, isRandomToken } from "./randomness.ts";
import { isPlaceholder } from "./span.ts";
import { looksRandom } from "./looks-random.ts";

/** How a value was written next to its name, which decides how much it must look like a secret. */
export type Notation =
  /** Property of a JSON object, or an argument in a list: what it is called is beyond doubt. */
  | "structure"
  /** `"password": "…"` inside a text. */
  | "json"
  /** `PASSWORD=…`, `--password=…` */
  | "env"
  /** `?token=…&`, `;Password=…;` */
  | "query"
  /** `<password>…</password>` */
  | "element"
  /** `password = "…"`, `password: '…'`: may be program code. */
  | "quoted"
  /** `password: …` on a line of its own, as in YAML. */
  | "line"
  /** `password: …`, `password = …` elsewhere: may be program code or prose. */
  | "bare";

/** Whether a value that goes by such a name is a secret. */
export function isSecretValue(value: string, kind: KeyKind, notation: Notation): boolean {
  if (!namesSecret(kind) || isHarmless(value)) return false;
  if (kind === "pin") return /^[0-9]{4,10}$/.test(value);
  if (kind === "opaque") return isGenerated(value);
  if (kind === "weak") {
    // Japanese and Chinese write sentences without spaces.
    if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(value)) return false;
    if (notation === "bare" || notation === "line") return isGenerated(value) || isStrong(value);
    return isPasswordLike(value);
  }
  if (kind === "token") return isToken(value, notation);
  if (notation === "structure") return true;
  if (kind === "cookie") return /^[^=\s]{1,128}=./.test(value);
  return kind === "password" ? isPassword(value, notation) : isToken(value, notation);
}

/** As rules for passwords demand them: capital and small letters, digits and symbols, or all but one of these. */
function isStrong(value: string): boolean {
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!@#$%^&*+=~?]/].filter((pattern) => pattern.test(value));
  return classes.length >= 3 && value.length >= 8 && isPasswordLike(value) && !/[()[\]{}<>:;,]/.test(value);
}

/** As services hand them out to be typed: `abcd-efgh-ijkl-mnop`, `abcd EFGH 1234 ijkl` */
const APP_PASSWORD = /^[a-z]{4}(?:-[a-z]{4}){3}$|^[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){3,5}$/;

function isPassword(value: string, notation: Notation): boolean {
  if (APP_PASSWORD.test(value)) return true;
  if (/\s/.test(value))
    return (notation === "json" || notation === "element") && /[0-9]/.test(value) && value.length <= 64;
  if (/^[0-9.]+$/.test(value)) return value.length >= 4 && !value.includes(".");
  if (TYPE_WORDS.test(value)) return false;
  // A file of settings is in use, whatever it says; code and documents show how it is done.
  if (notation !== "env" && notation !== "query" && namesItself(value)) return false;
  // Code calls things after passwords; `MyPassw0rd!2024` is none of them.
  if (notation === "bare")
    return isMixed(value) && value.length >= 5 && (!/passw/i.test(value) || isStrong(value));
  if (notation === "line" && !isMixed(value)) return /^[a-z_-]{6,}$/.test(value);
  // A word of letters is a weak password all the same; code says `password: PasswordField`.
  return isMixed(value) || (value.length >= 4 && !/^[A-Z][a-z]{2,20}(?:[A-Z][a-z]{1,20}){1,8}$/.test(value));
}

function isToken(value: string, notation: Notation): boolean {
  // No service hands out shorter ones; parsers and language models have short "tokens".
  if (value.length < 8) return notation === "structure" && value.length >= 6 && isMixed(value);
  if (/\s/.test(value)) return false;
  if (notation === "structure") return true;
  // Fewer digits count something, or are a time.
  if (/^[0-9.]+$/.test(value)) return isGenerated(value);
  if (TYPE_WORDS.test(value)) return false;
  if (notation === "env" || notation === "query" || notation === "element")
    return isMixed(value) || (value.length >= 16 && !isJoinedWords(value));
  if (notation === "json") return (isMixed(value) || value.length >= 12) && !isJoinedWords(value);
  if (isGenerated(value)) return true;
  const hasBoth = (/[0-9]/.test(value) && /[A-Za-z]/.test(value)) || looksRandom(value, 6);
  return hasBoth && (notation !== "bare" || value.length >= 12) && !isIdentifier(value);
}

/** Letters and digits, or a symbol that no plain word has. */
function isMixed(value: string): boolean {
  if (/[!@#$%^&*+=~?]/.test(value)) return /[A-Za-z0-9]{2}/.test(value);
  return (/[0-9]/.test(value) && /[A-Za-z]/.test(value)) || looksRandom(value, 6);
}

/** No blanks, not short, letters with digits or symbols: nothing that reads like a word, a number or an address. */
export function isPasswordLike(value: string): boolean {
  if (value.length < 6 || /\s/.test(value) || isHarmless(value)) return false;
  return isMixed(value) && !isIdentifier(value) && !/^[A-Za-z][A-Za-z+.-]{1,20}:\/\//.test(value);
}

/** `not-a-real-key`, `progress-1` */
function isJoinedWords(value: string): boolean {
  if (looksRandom(value)) return false;
  return (
    /^[A-Za-z]{1,40}(?:[-_./][A-Za-z]{1,40}){1,12}[-_.]?[0-9]{0,2}$/.test(value) ||
    /^[A-Za-z]{1,40}[-_.][0-9]{1,2}$/.test(value)
  );
}

/** `camelCase2`, `snake_case_2`, `kebab-case-2`, `UPPER_CASE_2`, `v1.2.3`: ordinary words and a few digits. */
function isIdentifier(value: string): boolean {
  if (looksRandom(value)) return false;
  return (
    /^[A-Za-z]{1,64}(?:[-_./][A-Za-z]{1,40}){0,8}[-_.$]?[0-9]{0,2}$/.test(value) ||
    /^[A-Z]{2,20}[0-9]{0,3}(?:_[A-Z]{1,20}[0-9]{0,3}){1,8}$/.test(value) ||
    /^v?[0-9]{1,10}(?:[.-][A-Za-z0-9]{1,20}){1,6}$/.test(value)
  );
}

const TYPE_WORDS =
  /^(?:string|str|number|int|integer|bool|boolean|bytes|any|object|buffer|uint8array|unknown|never|void|function|required|optional|password|passwd|secret|token|text|hidden|type|name|value|key|self|this|new|await|async|return|const|let|var|export|default|import|from|input|output|the|and|for|not|was|has|invalid|missing|incorrect|wrong)s?$/i;

/**
 * Whether a value is obviously not a secret: nothing, a mask, an example, or a pointer to where the secret is.
 *
 * `changeme`, `admin` and `test` are not in here: too many machines still open with them, and a redacted
 * example costs a reader nothing.
 */
export function isHarmless(value: string): boolean {
  const text = value.trim();
  if (text === "" || isPlaceholder(text)) return true;
  if (text.length > 256) return false;
  if (NOTHING.test(text) || MASK.test(text) || POINTER.test(text) || EXAMPLE.test(text)) return true;
  return isPath(text) || isVariableName(text);
}

/** `password`, `mypassword`, `your-api-key`: what documents write where a secret belongs. */
export function namesItself(text: string): boolean {
  return ITSELF.test(text);
}

const ITSELF =
  /^(?:(?:my|your|our|some|the|an?|new|old|example|sample|fake|dummy|auth|api|access|client|private|fallback)[-_ ]?){0,4}(?:pass(?:word|wd|phrase)?|pw|pwd|key|token|secret|credential)s?$/i;

const NOTHING =
  /^(?:true|false|yes|no|on|off|null|nil|none|undefined|nan|n\/a|void 0|not set|unset|empty|redacted|hidden|masked|omitted|removed|todo|tbd|[^A-Za-z0-9]{1,2})$/i;

/** `****`, `xxxx-xxxx`, `sk-…abcd`, `<token>`, `[token]`, `{token}` */
const MASK =
  /^(?:[*•●·.xX_#-]{3,64}|.{0,4}\*{3,64}.{0,4}|.{0,16}(?:\.{3}|…).{0,8}|<[^<>]{1,64}>|\[[^[\]]{1,64}\]|\{[^{}]{1,64}\})$/;

/** A variable, a template, an address without a password, or a place in a secret manager. */
const POINTER =
  /^(?:\$[{(]|\$[0-9@*]$|\$[A-Z_][A-Z0-9_]*(?![\w!@#])|\$[A-Za-z_]+(?![\w!@#])|%[A-Za-z_]\w{0,64}%$|\{\{|!(?:vault|Ref|Sub|secret|env)\b|@Microsoft\.|(?:process\.env|import\.meta\.env|env|secrets|vars|var|local|data)\.[\w.[\]"'-]{1,128}$|os\.(?:environ|getenv)|ENV\[|ENC\[|[a-z][a-z0-9+.-]{1,20}:\/\/[^@]{0,256}$|(?:vault|keychain|env|file|sops):|arn:aws|projects\/[^/]{1,64}\/secrets\/)/;

const EXAMPLE =
  /^(?:your|my|the|some|any|an|a|example|sample|dummy|fake)[-_ .](?:[a-z0-9]{1,20}[-_ .]){0,5}(?:key|token|secret|password|passwd|value|credentials?)$|^(?:insert|enter|put|replace)[-_ ]|[-_ ](?:goes[-_ ])?here$|^(?:placeholder|example)$/i;

const ABSOLUTE_PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w.@ -]{1,128}){1,32}$/;
/** Base64 has slashes as well: only lower case or a file extension tells a relative path from it. */
const RELATIVE_PATH =
  /^[a-z0-9._@-]{1,64}(?:\/[a-z0-9._@-]{1,128}){1,32}$|^[\w.-]{1,64}(?:\/[\w.-]{1,128}){0,32}\.[a-z]{2,5}$/;

/** The name of a file is not a secret. */
function isPath(text: string): boolean {
  const isLikely = ABSOLUTE_PATH.test(text) || RELATIVE_PATH.test(text);
  return isLikely && !text.split(/[\\/]/).some(isDense) && !isRandomToken(text) && !looksRandom(text, 8);
}

/** Long, and letters of both cases with digits, or hexadecimal digits only: hardly the name of a folder. */
function isDense(segment: string): boolean {
  if (/^(?=.{0,31}[0-9])[0-9a-f]{32,160}$/.test(segment)) return true;
  return segment.length >= 8 && /[a-z]/.test(segment) && /[A-Z]/.test(segment) && /[0-9]/.test(segment);
}

/** `token: "GITHUB_TOKEN"` names the variable that holds it. */
function isVariableName(text: string): boolean {
  return /^[A-Z][A-Z0-9]{0,32}(?:[_-][A-Z0-9]{1,32}){1,8}$/.test(text) && keyKind(text) !== "plain";
}
