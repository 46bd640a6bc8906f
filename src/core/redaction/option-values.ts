import { cachedKeyKind, type KeyKind } from "./key-names.ts";
import { isHarmless, isSecretValue, namesItself } from "./values.ts";

/** What the name of an option says: here `--pass` and `--pwd` are as clear as `--password`. */
export function optionKind(option: string): KeyKind {
  return /(?:^|[-_.])(?:pass|pwd|pw)$/i.test(option) ? "password" : cachedKeyKind(option);
}

/**
 * Whether the value of an option that names a secret is one. It is, whatever it looks like, unless it stands for a
 * value or points to one, as in `--token TOKEN` and `--token $TOKEN`.
 */
export function isOptionSecret(option: string, word: string, notation: "structure" | "bare"): boolean {
  const value = word.replace(/[\])}:!?]{1,4}$/, "");
  if (isHarmless(value) || /^[-<>|&]/.test(value) || standsForValue(option, value)) return false;
  const kind = optionKind(option);
  if (kind === "password" || kind === "secret" || kind === "token") return !ADDRESS.test(value);
  return isSecretValue(value, kind, notation);
}

/** Only its password is a secret, which is looked for in every address. */
const ADDRESS = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;

/** `--db-password DB_PASSWORD`, `--token string`, `--api-key KEY` */
function standsForValue(option: string, value: string): boolean {
  return letters(value) === letters(option) || namesItself(value) || TYPES.test(value);
}

/** All that is left of a name when it is written in another way. */
export const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");

/** What the help of a command calls the value of an option. */
const TYPES =
  /^(?:str(?:ing)?(?:s|array)?|text|value|bytes|bool|boolean|int|hex|base64|hash|phrase|val|arg|file|path|name|(?:user|key)?[-_]?id)$/i;

/** "Use --password to log in": whether a sentence goes on after the option. */
export function isProse(word: string): boolean {
  return PROSE.has(word.toLowerCase());
}

const PROSE: ReadonlySet<string> = new Set(
  `a again alone also always an and any are argument arguments as at be because been before being but by can cannot cli
   command could did do does during each either else explicitly field fields first flag flags followed for from given
   gives had has have here how if in inside instead into is it its just like may means might must never no nor not now
   of off on once one only onto option options or otherwise over parameter parameters per prompts rather require
   required requires see set sets should since so still support supported switch take takes than that the them then
   there these they this those to together too twice under unless until use used uses using via was were what when
   where whether which while who whose will with within without work works would you your`.split(/\s+/),
);
