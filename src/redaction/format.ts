/** A kind of secret that its own text gives away: fixed first characters, then `rest`. */
export interface Format {
  readonly rule: string;
  /** The fixed first characters; any of them will do. */
  readonly starts: readonly string[];
  /** What must follow, as the source of a regular expression. Every repeat in it has an upper bound. */
  readonly rest: string;
  /** How many characters of the secret stand before `starts`, and what they must look like. */
  readonly before?: { readonly length: number; readonly pattern: string };
}

/** A format whose beginnings are given as words of one string. */
export function format(rule: string, starts: string, rest: string): Format {
  return { rule, starts: starts.split(" "), rest };
}

export const WORD: string = "[A-Za-z0-9_-]";
export const ALNUM: string = "[A-Za-z0-9]";
export const BASE64: string = "[A-Za-z0-9+/]";
export const HEX: string = "[a-f0-9]";
