import { skipForward, WORD } from "./scan.ts";
import { isHarmless } from "./values.ts";
import { isGenerated } from "./randomness.ts";
import type { Span } from "./span.ts";
import { looksRandom } from "./looks-random.ts";

const MAX_HEADER_LENGTH = 4096;

/** The scheme stays readable: that a request was made with a bearer token is worth knowing. */
const SCHEME =
  /(?:bearer|basic|token|api-?token|apikey|api-key|key|dpop|negotiate|digest|signature|sharedkey|aws4-hmac-sha256)[ \t]{1,4}/iy;
/** Some services have a scheme of their own: then what follows must look made by a machine. */
const OWN_SCHEME = /[A-Za-z][A-Za-z-]{1,23}[ \t]{1,4}/y;
/** Schemes whose secret is spread over several parameters. */
const HAS_PARAMETERS = /^(?:digest|signature|aws4)/i;

/** Adds the secret part of an `Authorization:` or `Cookie:` header whose value begins at `from`. */
export function findHeaderValue(
  text: string,
  from: number,
  kind: "authorization" | "cookie",
  found: Span[],
): void {
  const opening = /\\{0,7}["'`]?/y;
  opening.lastIndex = from;
  opening.test(text);
  const start = opening.lastIndex;
  const span = kind === "cookie" ? cookies(text, start) : credentials(text, start);
  if (span !== undefined) found.push({ ...span, rule: kind });
}

function credentials(text: string, from: number): Omit<Span, "rule"> | undefined {
  SCHEME.lastIndex = from;
  const known = SCHEME.exec(text)?.[0];
  OWN_SCHEME.lastIndex = from;
  const scheme = known ?? OWN_SCHEME.exec(text)?.[0] ?? "";
  const start = from + scheme.length;
  const end = HAS_PARAMETERS.test(scheme)
    ? lineEnd(text, start)
    : skipForward(text, start, WORD, MAX_HEADER_LENGTH);
  const value = text.slice(start, end);
  if (value.length < 6 || isHarmless(value)) return undefined;
  // Decoded, a header may be followed by the next parameter of its address.
  const isOwn = known === undefined && scheme !== "";
  if (isOwn && !isGenerated(value.replace(/&[\w.-]{1,64}=.{0,512}$/s, ""))) return undefined;
  const hasDigits = /[0-9]/.test(value) || looksRandom(value, 6);
  const isPlausible =
    scheme === "" ? value.length >= 12 && hasDigits : hasDigits || value.length >= 20 || value.endsWith("=");
  return isPlausible && !/[(<{[]/.test(value)
    ? { start, end: skipForward(text, end, WORD, text.length) }
    : undefined;
}

/** Pairs up to the end of the line, or up to the word with which a sentence goes on. */
const COOKIES =
  /^[\w.!#$%&*+^|~-]{1,64}=[^\s;,(){}]{6,4096}(?:; ?[\w.!#$%&*+^|~-]{1,64}(?:=[^\s;]{0,4096}(?: [^\s;=]{1,32}){0,4})?){0,64}(?=;|\s|$)/;

function cookies(text: string, start: number): Omit<Span, "rule"> | undefined {
  const value = COOKIES.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? "";
  const end = start + value.length;
  const first = /=([^;]{6,4096})/.exec(value)?.[1];
  return first !== undefined && (/[0-9]/.test(value) || looksRandom(first, 6)) ? { start, end } : undefined;
}

/** Up to the end of the line or the closing quotation mark, escaped or not. */
function lineEnd(text: string, start: number): number {
  const rest = text.slice(start, start + MAX_HEADER_LENGTH);
  const stop = rest.search(/[\r\n'"`\\]/);
  return start + (stop < 0 ? rest.length : stop);
}
