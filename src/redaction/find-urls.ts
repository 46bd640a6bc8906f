import { isHarmless, namesItself } from "./values.ts";
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
}

function passwordAt(pattern: RegExp, text: string, from: number): Span | undefined {
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  const password = match?.[1];
  if (match === null || password === undefined) return undefined;
  const start = match.index + match[0].indexOf(":") + 1;
  if (isHarmless(password) || namesItself(password)) return undefined;
  if (/^[0-9]{1,5}\//.test(password) && pattern === LOOSE_CREDENTIALS) return undefined;
  return { start, end: start + password.length, rule: "url-password" };
}
