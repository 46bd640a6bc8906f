import { isHarmless, namesItself } from "./values.ts";
import { isGenerated } from "./randomness.ts";
import type { Span } from "./span.ts";

/** After `://`: a user, a colon, and the password up to the last `@` before the path. A port is no password. */
const CREDENTIALS = /[^\s:/?#@"'`<>\\]{0,256}:(?![0-9]{1,5}[?#])([^\s/"'`<>\\]{1,512})@/y;
/** Addresses of databases often have a password that is not encoded: it may have a slash or a question mark. */
const LOOSE_CREDENTIALS = /[^\s:/?#@"'`<>\\]{0,256}:([^\s"'`<>\\]{1,512})@[\w.-]{1,253}(?=[:/,?\s"'`\\]|$)/y;

/** Adds the password in the address whose `://` has its colon at `index`. Everything else of the address stays. */
export function findUrlPassword(text: string, index: number, found: Span[]): void {
  // JSON may have escaped the slashes.
  const slashes = text.startsWith("://", index) ? 3 : text.startsWith(":\\/\\/", index) ? 5 : 0;
  if (slashes === 0) return;
  const isWeb = /(?:https?|wss?|ftp|git|ssh)$/i.test(text.slice(Math.max(0, index - 6), index));
  const span =
    passwordAt(CREDENTIALS, text, index + slashes) ??
    (isWeb ? undefined : passwordAt(LOOSE_CREDENTIALS, text, index + slashes));
  if (span !== undefined) found.push(span);
  else findTokenInUrl(text, index + slashes, found);
}

/** `https://<token>@host`, and a token in the path after a word that says so: whoever has such an address may use it. */
const ONLY_USER = /([\w.~+-]{16,256})(?::(?:x-oauth-basic)?)?@[\w.-]{1,253}/y;
const SECRET_PATH =
  /[\w./-]{0,253}?(?:(?<=[./])(?:incoming)?(?:web)?hooks?[\w-]{0,16}[./]|\/(?:bot|token|key|apikey|api-key|secret|inputs|receiver|integrations?)\/|\/(?:bot)?(?=[0-9]{6,12}:)|\/v[0-9]\/(?=[\w-]{32,64}(?![\w./-])))(?:[\w.@-]{1,80}\/){0,6}?((?:[0-9]{6,12}:)?[\w+=-]{20,256})(?![\w.+=-])/iy;
/** Of files and versions of them. */
const FILES = /\/(?:blob|raw|commits?|tree|compare|blame)\//;

function findTokenInUrl(text: string, from: number, found: Span[]): void {
  ONLY_USER.lastIndex = from;
  const user = ONLY_USER.exec(text)?.[1] ?? "";
  if (user !== "") {
    if (isGenerated(user)) found.push({ start: from, end: from + user.length, rule: "url-password" });
    return;
  }
  SECRET_PATH.lastIndex = from;
  const [address = "", token = ""] = SECRET_PATH.exec(text) ?? [];
  if (token === "" || FILES.test(address) || !isGenerated(token)) return;
  const end = from + address.length;
  found.push({ start: end - token.length, end, rule: "token" });
}

function passwordAt(pattern: RegExp, text: string, from: number): Span | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  const password = match?.[1];
  if (match === null || password === undefined) return undefined;
  // Of a pair of keys, the first goes as well.
  const user = match[0].slice(0, match[0].indexOf(":"));
  const start = match.index + (isGenerated(user) ? 0 : user.length + 1);
  if (isHarmless(password) || namesItself(password)) return undefined;
  if (/^[0-9]{1,5}\//.test(password) && pattern === LOOSE_CREDENTIALS) return undefined;
  return { start, end: match.index + user.length + 1 + password.length, rule: "url-password" };
}
