import { paddingEnd } from "./readings.ts";
import type { Span } from "./span.ts";

interface Shape {
  readonly rule: string;
  readonly minLength: number;
  readonly maxLength: number;
  /** What stands before the run, if that makes the difference. It ends in one of `lastBefore`. */
  readonly before?: RegExp;
  readonly lastBefore?: string;
  /** The secret, from the beginning of the run on. */
  readonly pattern: RegExp;
}

/** Secrets without a fixed beginning, which what precedes them or the lengths of their parts give away. */
const SHAPES: readonly Shape[] = [
  {
    rule: "authorization",
    minLength: 16,
    maxLength: 4096,
    before: /(?:^|[^\w])(?:bearer|basic)[ \t]{1,4}["']?$/i,
    lastBefore: " \t\"'",
    pattern: /^(?=\D{0,200}[0-9])[\w.+/~-]{16,4096}/,
  },
  {
    // `tool login …`, `tool auth …`: a user's id stands after `login` as well, but in the form of a UUID.
    rule: "token",
    minLength: 32,
    maxLength: 64,
    before:
      /[a-z0-9] (?:login|auth|authtoken|unlock|unseal|activate)(?: [\w.@:/-]{1,64}){0,3}[ \t]{1,4}["']?$/,
    lastBefore: " \t\"'",
    pattern: /^(?=[a-f-]{0,31}[0-9])[a-f0-9]{32,64}$/,
  },
  {
    rule: "token",
    minLength: 36,
    maxLength: 36,
    before: /[a-z0-9] (?:auth|(?:login|auth|codecov)(?: [\w.@:/-]{1,64}){0,2} -[tk])[ \t]{1,4}["']?$/,
    lastBefore: " \t\"'",
    pattern: /^[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}$/,
  },
  {
    rule: "telegram-token",
    minLength: 35,
    maxLength: 35,
    before: /(?:^|[^0-9])[0-9]{8,10}:$/,
    lastBefore: ":",
    pattern: /^AA[\w-]{33}$/,
  },
  {
    rule: "braintree-token",
    minLength: 32,
    maxLength: 32,
    before: /access_token\$(?:production|sandbox)\$[a-z0-9]{8,32}\$$/,
    lastBefore: "$",
    pattern: /^[a-f0-9]{32}$/,
  },
  {
    // A key in two parts, its id and its secret.
    rule: "token",
    minLength: 64,
    maxLength: 64,
    before: /(?<![\w:-])[a-f0-9]{24,32}:$/,
    lastBefore: ":",
    pattern: /^(?=[a-f]{0,63}[0-9])[a-f0-9]{64}$/,
  },
  {
    rule: "asana-token",
    minLength: 32,
    maxLength: 32,
    before: /(?<![\w/])[12]\/[0-9]{10,20}(?:\/[0-9]{10,20})?:$/,
    lastBefore: ":",
    pattern: /^[a-f0-9]{32}$/,
  },
  {
    rule: "discord-token",
    minLength: 58,
    maxLength: 80,
    pattern: /^[MNO][\w-]{23,27}\.[\w-]{6,7}\.[\w-]{27,42}/,
  },
  {
    rule: "password-hash",
    minLength: 20,
    maxLength: 128,
    before: /\$(?:2[abxy]?\$[0-9]{2}|(?:1|5|6|y|apr1|argon2(?:id?|d))(?:\$[\w=,./+-]{1,96}){0,3})\$$/,
    lastBefore: "$",
    pattern: /^[./+A-Za-z0-9]{20,128}$/,
  },
  { rule: "newrelic-key", minLength: 40, maxLength: 40, pattern: /^[A-Fa-f0-9]{36}NRAL$/ },
  { rule: "mailchimp-key", minLength: 36, maxLength: 37, pattern: /^[a-f0-9]{32}-us[0-9]{1,2}$/ },
  {
    rule: "facebook-token",
    minLength: 27,
    maxLength: 40,
    before: /(?:^|[^0-9])[0-9]{15,16}\|$/,
    lastBefore: "|",
    pattern: /^[\w-]{27,40}$/,
  },
];

const MAX_BEFORE = 160;

/** Adds the secret that the run of token characters is, judged by its shape and by what precedes it. */
export function findShape(text: string, start: number, end: number, found: Span[]): void {
  // The full stop of a sentence is a token character, too.
  const trimmed = text[end - 1] === "." ? end - 1 : end;
  const length = trimmed - start;
  for (const shape of SHAPES) {
    if (length < shape.minLength || length > shape.maxLength || !fitsBefore(text, start, shape)) continue;
    const match = shape.pattern.exec(text.slice(start, trimmed));
    if (match === null) continue;
    found.push({ start, end: paddingEnd(text, start + match[0].length), rule: shape.rule });
    return;
  }
}

function fitsBefore(text: string, start: number, { before, lastBefore }: Shape): boolean {
  if (before === undefined || lastBefore === undefined) return true;
  // Looked at first, because it rules out nearly everything.
  if (start === 0 || !lastBefore.includes(text.charAt(start - 1))) return false;
  return before.test(text.slice(Math.max(0, start - MAX_BEFORE), start));
}
