/** An identifier whose parts are told by capitals: `refreshToken`, `HTTPServer`. Longer ones are no names. */
const CAMEL = /\b[A-Za-z\d]*(?:[a-z\d][A-Z]|[A-Z]{2}[a-z])[A-Za-z\d]*\b/g;
const LONGEST = 60;

/** Scripts without blanks between words: each character is a word, and a word is a phrase. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const MAY_BE_UNSPACED = /[\u0e00-\u0e7f\u2e80-\u9fff\u{20000}-\u{3ffff}]/u;

/** A text as it is indexed: with the parts of identifiers, so that `refresh token` and `refresh_token` find `refreshToken`. */
export function spread(text: string): string {
  const names = new Set(text.match(CAMEL));
  const parts = [...names].filter(({ length }) => length <= LONGEST).map((name) => partsOf(name).join(" "));
  const apart = MAY_BE_UNSPACED.test(text) ? text.replaceAll(UNSPACED, " $& ") : text;
  return parts.length === 0 ? apart : `${apart}\n${parts.join("\n")}`;
}

/** `refreshToken` → refresh, Token. */
export function partsOf(name: string): string[] {
  return name.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
}

/** The words of a text, as the tokenizer of the index sees them. */
export function tokensOf(text: string): string[] {
  return text.replaceAll(UNSPACED, " $& ").match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
}
