/**
 * How many bits it takes to say which letter follows a letter, in the names and words of program code and documents: a row
 * for each letter, a column for the next. Counted over 158,000 different words of installed packages.
 */
const PAIR_BITS = `
  55455646466454756343576758 35463757355467474556487858 37563863584477286563597969 36552667387566465555577869
  46445557697553655334767469 45664468288576386455487869 24462655376565576454586868 35663767288767476664687879
  36455649798452366534969896 34563767576776465627665757 36552645476665665646676868 36652778297478377754467969
  25672868478656338857688989 47434538596776468733567989 56548668686442647354465799 37763877598488358353487889
  35454545466666663556376756 36562768396656377444668969 47473765496677448642587769 37572793399777469445688849
  55653557499343748343899889 26771768388777576747777888 35563655366664357446776777 46564677475666526662777767
  35355657586554626645775877 45562657577666275657676746`
  .trim()
  .split(/\s+/);
/** The same for the first letter of a word. */
const FIRST_BITS = "45444556467554547443566777";

const [LOWER, UPPER, DIGIT, JOINT, SYMBOL] = [0, 1, 2, 3, 4];
/** How many bits it takes to say that a character of one class follows one of another: a row for each class, in the order above. */
const CLASS_BITS: readonly (readonly number[])[] = [
  [0.3, 3.2, 6.7, 4, 6.2],
  [1.2, 1, 4.9, 5.7, 7.5],
  [2.4, 1.9, 1.4, 3, 5],
  [0.4, 3.5, 4.5, 3.2, 5.6],
  [1.2, 3.4, 3.1, 4.1, 1.8],
];
/** How many characters a class has, in passwords, and how many bits it takes to say which. */
const CLASS_SIZES = [26, 26, 10, 4, 10];
const WITHIN_CLASS = [0, 0, 3.3, 1.5, 3.3];
const FIRST_CLASS = 2;

const MAX_LENGTH = 256;

/**
 * How much better a word is explained by having been picked at random than by having been written, in bits: below 0
 * for names and words, above 0 for generated passwords and keys, and the more so the longer they are.
 *
 * The alphabet is that of the classes of characters in the word, so small letters with digits are not held to be less
 * random than capitals with symbols.
 */
function randomnessBits(word: string): number {
  const length = Math.min(word.length, MAX_LENGTH);
  let written = FIRST_CLASS;
  let classes = 0;
  let last = -1;
  let lastLetter = 0;
  for (let index = 0; index < length; index += 1) {
    const code = word.charCodeAt(index);
    const own = classOf(code);
    if (last >= 0) written += CLASS_BITS[last]![own]!;
    const letter = (code | 32) - 97;
    if (own > UPPER) written += WITHIN_CLASS[own]!;
    else
      written +=
        (last === LOWER || last === UPPER ? PAIR_BITS[lastLetter]! : FIRST_BITS).charCodeAt(letter) - 48;
    classes |= 1 << own;
    last = own;
    lastLetter = letter;
  }
  const alphabet = CLASS_SIZES.reduce((sum, size, at) => sum + ((classes >> at) & 1) * size, 0);
  return written - length * Math.log2(alphabet);
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return JOINTS.includes(code) ? JOINT : SYMBOL;
}

/** The codes of `- . / : _`. */
const JOINTS = [45, 46, 47, 58, 95];

/**
 * Whether a word looks picked at random, character by character, as generated passwords and keys are. Not so hexadecimal
 * digits and UUIDs: they are random as well, but most are hashes and ids.
 */
export function looksRandom(word: string, minBits = 3): boolean {
  const hasDigits = /[0-9]/.test(word);
  // Without digits, only letters of both cases tell enough. Looked at first, because most words are of small letters.
  if (!hasDigits && !(/[a-z]/.test(word) && /[A-Z]/.test(word))) return false;
  if (word.length < 10 || !/^[\x21-\x7e]+$/.test(word)) return false;
  if (!hasDigits && !/^[A-Za-z!@#$%^*_-]+$/.test(word)) return false;
  // Constants are words in capitals, which are rare among those that were counted.
  const isConstant = CONSTANT.test(word);
  if (isConstant && !hasDigits) return false;
  if (randomnessBits(word) < (isConstant ? Math.max(minBits, 20) : minBits)) return false;
  if (word.replaceAll(/[^A-Za-z0-9]+/g, "").length < word.length * 0.6) return false;
  return !HEXADECIMAL.test(word) && !NUMBERS.test(word) && !EXPRESSION.test(word);
}

const CONSTANT = /^_{0,2}[A-Z][A-Z0-9]{0,40}(?:[_./-][A-Z0-9]{1,40}){1,16}(?:_{1,2}|=)?$/;
/** With what separates their digits in addresses and fingerprints. */
const HEXADECIMAL = /^(?:0x[0-9a-fA-F_]{1,40}|[0-9a-f.:*/_-]+|[0-9A-F.:*/_-]+)$/;
/** Dates, times, durations and versions. */
const NUMBERS =
  /^[0-9.,:/TZ_+\-x*]+$|^P[0-9.YMWDTHS]+$|^[vV]?[0-9]+(?:\.[0-9]+){1,3}(?:[-+.][a-z]+[.-]?[0-9]{0,8})?$/;
/** Addresses, and code: comparisons, arrows, ranges of letters, names of algorithms, `…` in a text. */
const EXPRESSION =
  /:\/\/|[=!]==?[^=]|&&|\|\||[=-]>|a-z|0-9|abcdef|ghijk|\.{3}|\$\{|%[0-9A-F]{2}|%[a-z]%|%s\/|^[\w.]{1,24}=[\w.]{0,24}&|(?:sha|aes|md|utf|rsa|dsa|hmac|kem)[-_]?[0-9]/i;
