import { keyKind } from "./key-names.ts";
import { isRandom } from "./randomness.ts";
import { isPlaceholder } from "./span.ts";

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
  return isLikely && !text.split(/[\\/]/).some(isDense) && !isRandom(text);
}

/** Long, and letters of both cases with digits: hardly the name of a folder. */
function isDense(segment: string): boolean {
  return segment.length >= 8 && /[a-z]/.test(segment) && /[A-Z]/.test(segment) && /[0-9]/.test(segment);
}

/** `token: "GITHUB_TOKEN"` names the variable that holds it. */
function isVariableName(text: string): boolean {
  return /^[A-Z][A-Z0-9]{0,32}(?:_[A-Z0-9]{1,32}){1,8}$/.test(text) && keyKind(text) !== "plain";
}
