import { BACKSLASH, BLANK, IDENTIFIER, isOneOf, QUOTE, skipForward, WORD } from "./characters.ts";
import { COMMAND, commandName, mayCarrySecret, optionSecret, type OptionSecret } from "./commands.ts";
import { isHarmless } from "./harmless.ts";
import type { Span } from "./span.ts";
import { quotedValueAt, shellValueAt, type TextValue } from "./text-values.ts";
import { isPasswordLike, isSecretValue } from "./values.ts";

const RULE = "command-password";
/** How far the name of the command may stand before its option. */
const MAX_DISTANCE = 512;
const MAX_OPTION_LENGTH = 512;

/** Adds the secret that the option at `start` of a command line in the text carries. */
export function findOption(text: string, start: number, found: Span[]): void {
  if (isOneOf(text, start - 1, IDENTIFIER)) return;
  // A password that is attached to its option may have characters that no token has.
  const end = skipForward(text, start, WORD, MAX_OPTION_LENGTH);
  const word = text.slice(start, end);
  if (!mayCarrySecret(word)) return;
  const secret = optionSecret(word, commandBefore(text, start), isOneOf(text, end, QUOTE | BACKSLASH));
  if (secret === undefined) return;
  const from = secret.at === "next" ? nextWord(text, end) : start + secret.at;
  const value = from === undefined ? undefined : shellWordAt(text, from);
  if (value === undefined) return;
  const isRest = /[:%]/.test(text.charAt(value.start - 2)) && value.isQuoted;
  const span = isRest ? { start: 0 } : secretPart(text.slice(value.start, value.end), secret);
  if (span === undefined) return;
  const password = text.slice(value.start + span.start, value.end);
  // In prose, too, an option is followed by a word: "use --password to log in".
  if (!secret.isCertain && !value.isQuoted && !isSecretValue(password, "password", "bare")) return;
  found.push({ start: value.start + span.start, end: value.end, rule: RULE });
}

/** The secrets in a command that is given as a list of words: for each, the position of the word and the span in it. */
export function findInArguments(words: readonly string[]): { index: number; span: Span }[] {
  const found: { index: number; span: Span }[] = [];
  let command: string | undefined;
  for (const [index, word] of words.entries()) {
    command = commandName(word) ?? command;
    if (!word.startsWith("-")) continue;
    const secret = optionSecret(word, command);
    if (secret === undefined) continue;
    const [target, offset] = secret.at === "next" ? [index + 1, 0] : [index, secret.at];
    const value = words[target] ?? "";
    const part = secretPart(value.slice(offset), secret);
    if (part !== undefined)
      found.push({ index: target, span: { start: offset + part.start, end: value.length, rule: RULE } });
  }
  return found;
}

function secretPart(value: string, { form }: OptionSecret): { start: number } | undefined {
  if (isHarmless(value) || value.startsWith("-")) return undefined;
  // `docker build --secret id=npm,src=…` says where a secret is.
  if (form === "password")
    return /^(?:id|src|source|env|name|type)=/.test(value)
      ? undefined
      : { start: value.startsWith("pass:") ? 5 : 0 };
  const start = value.indexOf(form === "user%password" ? "%" : ":") + 1;
  if (start === 0 || value.includes("://")) return undefined;
  // Some services take a key as the user, with no password: `key:`.
  if (start === value.length) return isPasswordLike(value) ? { start: 0 } : undefined;
  return isHarmless(value.slice(start)) ? undefined : { start };
}

/** A word may be quoted from its middle on: `-u me:'…'`. */
function shellWordAt(text: string, from: number): TextValue | undefined {
  const value = shellValueAt(text, from);
  const isPair = value !== undefined && !value.isQuoted && /[:%]/.test(text.charAt(value.end - 1));
  return (isPair ? quotedValueAt(text, value.end) : undefined) ?? value;
}

function nextWord(text: string, end: number): number | undefined {
  const from = skipForward(text, end, BLANK, 8);
  return from > end && text[from] !== "-" ? from : undefined;
}

/** The last known command between the beginning of the command line and `index`: the one that the option belongs to. */
function commandBefore(text: string, index: number): string | undefined {
  const before = text.slice(Math.max(0, index - MAX_DISTANCE), index);
  let start = before.lastIndexOf("\n");
  // A backslash at the end of a line continues the command.
  while (start > 0 && before[start - 1] === "\\") start = before.lastIndexOf("\n", start - 1);
  const line = before.slice(Math.max(start, before.lastIndexOf(";"), before.lastIndexOf("|")) + 1);
  return Array.from(line.matchAll(COMMAND)).at(-1)?.[1];
}
