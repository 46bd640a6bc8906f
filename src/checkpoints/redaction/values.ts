import { keyKind, type KeyKind } from "./key-names.ts";
import { isRandom } from "./randomness.ts";
import { isPlaceholder } from "./span.ts";

/** How a value was written next to its name, which decides how much it must look like a secret. */
export type Style =
  /** Property of a JSON object, or an argument in a list: what it is called is beyond doubt. */
  | "structure"
  /** `"password": "…"` inside a text. */
  | "json"
  /** `PASSWORD=…`, `--password=…` */
  | "env"
  /** `?token=…&`, `;Password=…;`, `<password>…</password>` */
  | "query"
  /** `password = "…"`, `password: '…'`: may be program code. */
  | "quoted"
  /** `password: …`, `password = …`: may be program code or prose. */
  | "bare";

/** Whether a value that goes by such a name is a secret. */
export function isSecretValue(value: string, kind: KeyKind, style: Style): boolean {
  if (kind === "plain" || kind === "reference") return false;
  if (isHarmless(value)) return false;
  if (kind === "pin") return /^[0-9]{4,10}$/.test(value);
  if (kind === "weak") return isPasswordLike(value) && (style !== "bare" || isRandom(value));
  if (kind === "cookie") return /^[^=\s]{1,128}=./.test(value) || (style === "structure" && value.length >= 8);
  if (kind === "password") return isPassword(value, style);
  return isToken(value, style);
}

function isPassword(value: string, style: Style): boolean {
  if (style === "structure") return true;
  if (/\s/.test(value)) return style === "json" && /[0-9]/.test(value) && value.length <= 64;
  if (/^[0-9.]+$/.test(value)) return value.length >= 4 && !value.includes(".");
  if (TYPE_WORDS.test(value)) return false;
  if (style === "bare") return isMixed(value) && value.length >= 5;
  // A word of letters is a weak password all the same; code says `password: PasswordField`.
  return isMixed(value) || (value.length >= 4 && !/^[A-Z][a-z]+[A-Z]/.test(value));
}

function isToken(value: string, style: Style): boolean {
  // No service hands out shorter ones; parsers and language models have short "tokens".
  if (value.length < 8) return style === "structure" && value.length >= 6 && isMixed(value);
  if (/\s/.test(value)) return false;
  if (style === "structure") return true;
  if (/^[0-9.]+$/.test(value) || TYPE_WORDS.test(value)) return false;
  if (style === "env" || style === "query") return isMixed(value) || value.length >= 16;
  if (style === "json") return isMixed(value) || (value.length >= 12 && !/[-_. /]/.test(value));
  return isMixed(value) && (style === "quoted" || value.length >= 12) && !isIdentifier(value);
}

/** Letters and digits, or a symbol that no plain word has. */
function isMixed(value: string): boolean {
  if (/[!@#$%^&*+=~?]/.test(value)) return /[A-Za-z0-9]{2}/.test(value);
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}

/** No blanks, not short, letters with digits or symbols: nothing that reads like a word, a number or an address. */
export function isPasswordLike(value: string): boolean {
  if (value.length < 6 || /\s/.test(value) || isHarmless(value)) return false;
  return isMixed(value) && !isIdentifier(value) && !/^[A-Za-z][A-Za-z+.-]{1,20}:\/\//.test(value);
}

/** `camelCase2`, `snake_case_2`, `kebab-case-2`, `v1.2.3`: a few digits at the end of ordinary words. */
function isIdentifier(value: string): boolean {
  return /^[A-Za-z]+(?:[-_./][A-Za-z]+){0,8}[-_.]?[0-9]{0,2}$/.test(value) || /^v?[0-9]+(?:[.-][A-Za-z0-9]+){1,6}$/.test(value);
}

const TYPE_WORDS =
  /^(?:string|str|number|int|integer|bool|boolean|bytes|any|object|buffer|uint8array|unknown|never|void|function|required|optional|password|passwd|secret|token|text|hidden|type|name|value|key|self|this|new|await|async|return|const|let|var|export|default|import|from|input|output|the|and|for|not|was|has|invalid|missing|incorrect|wrong)s?$/i;

const MASK = /^(?:[*•●·.xX_#-]{3,}|[?]{2,}|\*+.{0,4}|.{0,4}\*{3,}.{0,4})$/;
const NOTHING = /^(?:true|false|yes|no|on|off|null|nil|none|undefined|nan|n\/a|-|void 0|not set|unset|empty|redacted|hidden|masked|omitted|removed|todo|tbd)$/i;
/** A variable, a template, or a pointer to a secret manager: where the secret is, not the secret. */
const POINTER =
  /^(?:\$[A-Za-z_{(]|\$\$|%[A-Za-z_]\w*%|\{\{?|<|!\w|@\w+\(|(?:process\.|import\.meta\.)?env\.|os\.(?:environ|getenv)|ENV\[|secrets\.|vars\.|var\.|local\.|data\.|op:\/\/|vault:|arn:aws:|keychain:|env:|file:|ref\+|sops:|ENC\[|projects\/[^/]+\/secrets\/)/;
const EXAMPLE = /^(?:your|my|the|some|any|an|a|example|sample|dummy|fake)[-_ .](?:[a-z0-9]+[-_ .]){0,5}(?:key|token|secret|password|passwd|here|value|credentials?)$|^(?:insert|enter|put|add|replace)[-_ ]|[-_ ](?:goes[-_ ])?here$|^(?:placeholder|example)$/i;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:|[\w.-]{1,64})?(?:[\\/][\w.@ -]{1,128}){1,32}$/;

/** Whether the value obviously is no secret: nothing, a mask, an example, or a pointer to where the secret is. */
export function isHarmless(value: string): boolean {
  const text = value.trim();
  if (text.length === 0 || NOTHING.test(text) || MASK.test(text) || POINTER.test(text) || isPlaceholder(text)) return true;
  if (text.length > 256) return false;
  if (EXAMPLE.test(text) || isAngleOrBracketed(text)) return true;
  if (PATH.test(text) && !/[A-Za-z0-9+/]{20}/.test(text.replaceAll("/", "")) ) return true;
  if (PATH.test(text) && /\.[a-z0-9]{2,5}$/.test(text) && !isRandom(text)) return true;
  // `token: "GITHUB_TOKEN"` names the variable that holds it.
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text) && keyKind(text) !== "plain";
}

function isAngleOrBracketed(text: string): boolean {
  return /^<[^<>]{1,64}>$/.test(text) || /^\[[^[\]]{1,64}\]$/.test(text) || /^\{[^{}]{1,64}\}$/.test(text);
}
