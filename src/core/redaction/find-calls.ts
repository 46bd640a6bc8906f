import { isReference } from "./find-random.ts";
import { quotedValueAt } from "./names-and-values.ts";
import { isGenerated } from "./randomness.ts";
import type { Span } from "./span.ts";
import { BACKSLASH, skipBack } from "./scan.ts";
import { looksRandom } from "./looks-random.ts";
import { isHarmless, isPasswordLike } from "./values.ts";

/** Functions, and classes, that take a password or a key as an argument of its own, in small letters without joints. */
const TAKES_SECRET: ReadonlySet<string> = new Set(
  `login signin logon authenticate auth basicauth httpbasicauth httpdigestauth passwordauthentication setcredentials
   usernamepasswordcredentials usernamepasswordauthenticationtoken networkcredential credentials plaincredentials
   connect mysqli mysqliconnect mysqlconnect pgconnect pdo getconnection createuser changeuserpassword
   sign verify hmac createhmac fernet keygrip cookieparser sshpass ftplogin`.split(/\s+/),
);
/** Those that take the key of a service, or something else. */
const TAKES_KEY: ReadonlySet<string> = new Set("init initialize client load identify setup".split(" "));
const MAX_NAME_LENGTH = 48;
const MAX_ARGUMENTS = 6;
/** An argument that is no string, or what stands between two. */
const BETWEEN = /[\s,[]{0,16}(?:[A-Za-z_$][\w.$]{0,48}[=:] ?|[bru](?=["']))?/y;
const OTHER = /[\w.$ ]{1,64}(?=,)/y;

/** Adds the secrets in a call of the function whose name is from `start` to `end`, if it is known to take one: `login("me", "…")`. */
export function findCall(text: string, start: number, end: number, found: Span[]): void {
  const path = text.slice(Math.max(start, end - MAX_NAME_LENGTH), end);
  const [last = "", owner = ""] = path.split(".").toReversed();
  const name = last.toLowerCase().replaceAll("_", "");
  const isOwned = (last === "new" && /^hmac$/i.test(owner)) || (last === "encode" && /^jwt$/i.test(owner));
  if (isOwned || TAKES_SECRET.has(name)) findArguments(text, end, found);
  else if (TAKES_KEY.has(name)) findArguments(text, end, found, isGenerated);
}

/** Adds the secrets among the arguments in the brackets that open at `bracket`: also of `auth=("me", "…")`. */
export function findArguments(
  text: string,
  bracket: number,
  found: Span[],
  isSecret = isSecretArgument,
): void {
  let at = bracket + 1;
  for (let count = 0; count < MAX_ARGUMENTS; count += 1) {
    BETWEEN.lastIndex = at;
    BETWEEN.test(text);
    const from = Math.max(at, BETWEEN.lastIndex);
    const value = quotedValueAt(text, from);
    if (value === undefined) {
      OTHER.lastIndex = from;
      if (!OTHER.test(text)) return;
      at = OTHER.lastIndex;
      continue;
    }
    if (value.end - value.start > 256) return;
    const argument = text.slice(value.start, value.end);
    if (isSecret(argument)) found.push({ start: value.start, end: value.end, rule: "password" });
    at = value.end;
    while (/[\\"'`]/.test(text.charAt(at))) at += 1;
  }
}

/** An argument of a call: the first, or one after others. */
const IN_CALL = /([A-Za-z_][\w.:]{0,48})\s?\((?:[^(){}[\]\n]{0,160},)?\s{0,16}(?:[bru]|Some\()?$/;
/** Functions to which keys are passed that stand for something else. */
const TAKES_IDS =
  /(?:id|hash|from|digest|sha[0-9]*|md5|hex|checksum|etag|commit|ref|url|color|equals?|tobe|include\w*|has|get|put|set|query|insert|checkout|run|exec\w*|spawn\w*|map|require|import)$/i;

/** Adds the quoted argument at `index` of any call if it looks random, or is a hash after another string: `WiFi.begin("net", "…")`. */
export function findRandomArgument(text: string, index: number, found: Span[]): void {
  const opening = skipBack(text, index, BACKSLASH, 7);
  if (!/[,( bru]/.test(text.charAt(opening - 1))) return;
  const value = quotedValueAt(text, opening);
  if (value === undefined || value.end - value.start < 12 || value.end - value.start > 128) return;
  const argument = text.slice(value.start, value.end);
  const isHash = /^(?=[a-f]{0,31}[0-9])[0-9a-f]{32}$/.test(argument);
  if (!isHash && !isRandomArgument(argument)) return;
  const before = text.slice(Math.max(0, opening - 240), opening);
  const callee = IN_CALL.exec(before)?.[1];
  if (callee === undefined || TAKES_IDS.test(callee)) return;
  // A hash alone may be that of anything, unless an object is made with it.
  if (isHash && !/["'`],\s{0,16}$|new [A-Z][\w.]{1,48}\($/.test(before)) return;
  if (!isReference(text, value.start, argument))
    found.push({ start: value.start, end: value.end, rule: "secret" });
}

function isRandomArgument(argument: string): boolean {
  return (
    /^[^\s(){}[\]<>,;|\\]+$/.test(argument) &&
    /[0-9]/.test(argument) &&
    looksRandom(argument, 10) &&
    !isHarmless(argument)
  );
}

/** Not an address, a host, an algorithm or the name of something. */
function isSecretArgument(argument: string): boolean {
  if (
    /@[\w-]+\.|^[\w-]+(?:\.[\w-]+)+(?::[0-9]+)?$|[=;/]|^(?:sha|md|[hrep]s|aes|utf|tls)[-_]?[0-9]/i.test(
      argument,
    )
  )
    return isGenerated(argument);
  const isSnakeCase = /^[a-z]{2,20}[0-9]?(?:[_-][a-z]{2,20}[0-9]?){1,6}$/.test(argument);
  return argument.length >= 8 && isPasswordLike(argument) && !isSnakeCase;
}
