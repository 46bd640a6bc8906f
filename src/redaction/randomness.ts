/** Shorter strings that look random are too often names. */
export const MIN_RANDOM_LENGTH = 24;
/** Longer ones are data: no secret in a header is that long. */
const MAX_RANDOM_LENGTH = 256;

/** Hashes, ids and UUIDs. Checked first, because they are by far the most common. */
const HEXADECIMAL = /^(?:[0-9a-f-]+|[0-9A-F-]+)$/;

/**
 * Whether a token of letters, digits and `_ - + /` looks drawn at random.
 *
 * Entropy alone cannot tell: a long camelCase name has as many different characters. What names lack is the
 * restlessness of random text, where letters, capitals and digits take turns at more than every second character.
 */
export function isRandom(token: string): boolean {
  const { length } = token;
  if (length < MIN_RANDOM_LENGTH || length > MAX_RANDOM_LENGTH || HEXADECIMAL.test(token)) return false;
  const counts = countClasses(token);
  const { lower, upper, digits, separators, changes } = counts;
  if (lower === 0 || upper === 0) return isRandomInOneCase(token, counts);
  const alphanumeric = length - separators;
  if (lower < 3 || upper < 3 || digits < (length < 32 ? 2 : 1)) return false;
  // Base64 has a separator at every 32nd character, words joined by dashes or slashes at every sixth.
  if (separators > 1 + length / 10) return false;
  // Even `convertIPv4MappedIPv6ToIPv4` has a long word in it.
  if (length < 40 && /[a-z]{7}/.test(token)) return false;
  return changes / alphanumeric >= 0.42 && entropyOf(token) >= 3.7;
}

/** Whether letters of both cases take turns as they do in no name, though there is no digit. */
export function isRestless(token: string): boolean {
  const { lower, upper, changes } = countClasses(token);
  return token.length >= 12 && lower >= 3 && upper >= 3 && changes >= token.length * 0.38;
}

/** Four consonants in a row: rare in words, common in random letters. */
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{4}/i;

/** Letters of one case say less, so the token must be longer. */
function isRandomInOneCase(token: string, { upper, digits, separators, changes }: ClassCounts): boolean {
  const { length } = token;
  if (length < 30 || length > 128 || separators > 0) return false;
  // Capitals only as base32 has them, or bank accounts would look random.
  if (upper > 0 && !/^[A-Z2-7]+$/.test(token)) return false;
  if (digits < length * 0.1 || digits > length * 0.6 || changes < length * 0.18) return false;
  const hasWord = (token.match(/[A-Za-z]{8,128}/g) ?? []).some((letters) => !CONSONANTS.test(letters));
  return !hasWord && entropyOf(token) >= 3.7;
}

interface ClassCounts {
  readonly lower: number;
  readonly upper: number;
  readonly digits: number;
  readonly separators: number;
  /** How often the class changes from one letter or digit to the next. */
  readonly changes: number;
}

function countClasses(token: string): ClassCounts {
  const alphanumeric = token.replaceAll(/[^A-Za-z0-9]/g, "");
  const count = (pattern: RegExp) => alphanumeric.match(pattern)?.length ?? 0;
  return {
    lower: count(/[a-z]/g),
    upper: count(/[A-Z]/g),
    digits: count(/[0-9]/g),
    separators: token.length - alphanumeric.length,
    changes: count(/[a-z]+|[A-Z]+|[0-9]+/g) - 1,
  };
}

/** Shannon entropy in bits a character. */
function entropyOf(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}
