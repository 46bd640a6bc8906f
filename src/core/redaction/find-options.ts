import { isHarmless, isPasswordLike, isSecretValue } from "./values.ts";
import { mayNameSecret, namesSecret } from "./key-names.ts";
import { isOptionSecret, isProse, optionKind } from "./option-values.ts";
import { isReference } from "./find-random.ts";
import { BACKSLASH, BLANK, IDENTIFIER, isOneOf, QUOTE, skipForward, WORD } from "./scan.ts";
import { isGenerated } from "./randomness.ts";
import { commandName, knownCommand, type SecretForm, commandOptions } from "./command-options.ts";
import type { Span } from "./span.ts";
import { looksRandom } from "./looks-random.ts";
import { quotedValueAt, shellValueAt, type TextValue } from "./names-and-values.ts";

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
  if (!mayCarrySecret(word)) {
    if (SHORT.test(word)) findRandomValue(text, start, end, found);
    return;
  }
  const command = commandBefore(text, start);
  const secret =
    optionSecret(word, command, isOneOf(text, end, QUOTE | BACKSLASH)) ??
    (command === undefined ? passwordAfterUser(text, start, word) : undefined);
  if (secret === undefined) return SHORT.test(word) ? findRandomValue(text, start, end, found) : undefined;
  const from = secret.at === "next" ? nextWord(text, start, end) : start + secret.at;
  const value = from === undefined ? undefined : shellWordAt(text, from);
  if (value === undefined) return;
  const isRest = /[:%]/.test(text.charAt(value.start - 2)) && value.isQuoted;
  const span = isRest ? { start: 0 } : secretPart(text.slice(value.start, value.end), secret);
  if (span === undefined) return;
  const password = text.slice(value.start + span.start, value.end);
  // In the help of a command several blanks stand between an option and what is said about it.
  const by = secret.by === "name" && text.startsWith("  ", end) ? "looks" : secret.by;
  if (by === "looks" && !value.isQuoted && !isSecretValue(password, "password", "bare")) return;
  if (by === "name" && ((isProse(password) && !value.isQuoted) || !isOptionSecret(word, password, "bare")))
    return;
  found.push({ start: value.start + span.start, end: value.end, rule: RULE });
}

/** Adds what follows such an option of one or two letters if it looks random; `-t` and `-k` are mostly a token and a key. */
function findRandomValue(text: string, start: number, end: number, found: Span[]): void {
  const from = nextWord(text, start, end);
  const value = from === undefined ? undefined : shellValueAt(text, from);
  if (value === undefined) return;
  const word = text.slice(value.start, value.end);
  const isSecret = /^-[tk]$/.test(text.slice(start, end))
    ? isGenerated(word)
    : /[0-9]/.test(word) && looksRandom(word, 6);
  if (isSecret && !isReference(text, value.start, word))
    found.push({ start: value.start, end: value.end, rule: RULE });
}

function passwordAfterUser(text: string, start: number, word: string): OptionSecret | undefined {
  if (!/^[-/](?:[pP]|rp)$/.test(word) || !AFTER_USER.test(text.slice(Math.max(0, start - 80), start)))
    return undefined;
  // A few digits are a port.
  const isPassword = !/^ {1,8}[0-9]{1,5}(?!\S)/.test(text.slice(start + word.length, start + 16));
  return isPassword ? { at: "next", form: "password", by: "looks" } : undefined;
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
    if (secret.by === "name" && !isOptionSecret(word, value, "structure")) continue;
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
  const start = value.indexOf(form.charAt(4)) + 1;
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

/** The next word of a list: `"--token", "…"`. */
const LIST_JOINT = /\\{0,7}["'`],\s{0,4}(?=\\{0,7}["'`][^\s"'`]{1,512}["'`])/y;
/** As YAML has it. */
const LINES_JOINT = /\r?\n[ \t]{0,32}- (?=\S)/y;

/** Where the word after the option begins. */
function nextWord(text: string, start: number, end: number): number | undefined {
  const from = skipForward(text, end, BLANK, 8);
  if (from > end) return text[from] === "-" ? undefined : from;
  const joint = text.startsWith("- ", start - 2) ? LINES_JOINT : LIST_JOINT;
  joint.lastIndex = end;
  return joint.test(text) ? joint.lastIndex : undefined;
}

/** The last known command between the beginning of the command line and `index`: the one that the option belongs to. */
function commandBefore(text: string, index: number): string | undefined {
  const before = text.slice(Math.max(0, index - MAX_DISTANCE), index);
  let start = before.lastIndexOf("\n");
  // A backslash at the end of a line continues the command.
  while (start > 0 && before[start - 1] === "\\") start = before.lastIndexOf("\n", start - 1);
  const line = before.slice(Math.max(start, before.lastIndexOf(";"), before.lastIndexOf("|")) + 1);
  return Array.from(line.matchAll(knownCommand())).at(-1)?.[1];
}

/** What an option of a command carries. */
interface OptionSecret {
  /** `next`: the secret is the word after the option. A number: it begins at that character of the option's own word. */
  readonly at: "next" | number;
  /** What tells that it is a secret: the command, whose options are known; the option's name; or only what it looks like. */
  readonly by: "command" | "name" | "looks";
  readonly form: SecretForm;
}

/** Long options that carry `user:password`. */
const PAIR_OPTIONS = new Set(["--user", "--proxy-user", "--basic-auth"]);
/** In any command. */
const CREDENTIALS = /^--(?:[a-z]{2,8}-)?creds$/;

/** `-u me -p …`: a user, and then a password, whatever the command. */
const AFTER_USER =
  /(?:^|\s)(?:[-/](?:[uUn]|user)|--user(?:name)?)[ =:][^\s-]\S{0,63} (?:-\S{1,24} \S{1,32} )?$/;

/** Carries a password, a token or a key in some commands, and hardly ever anything else that looks random. */
const SHORT = /^[-/](?:[aAkKpPtTwW]|pw|rp|hp|ap)$/;

/** Whether the option may carry a secret in any command at all: a quick no. */
function mayCarrySecret(word: string): boolean {
  return (
    /^[-/](?:[absukKUpPwANXh]|pass|-user|-pass|-http|-proxy|-basic)/.test(word) ||
    (/^--?[A-Za-z]/.test(word) && mayNameSecret(word))
  );
}

/** What the option carries when `command` is being run, or undefined if it carries no secret. A quotation mark may follow it: `-p"…"`. */
function optionSecret(
  word: string,
  command: string | undefined,
  isBeforeQuote = false,
): OptionSecret | undefined {
  for (const [flag, place, form = "password"] of commandOptions().get(command ?? "") ?? []) {
    if (place !== "attached" && word === flag) return { at: "next", form, by: "command" };
    if (place !== "separate" && word.length + (isBeforeQuote ? 1 : 0) > flag.length && word.startsWith(flag))
      return { at: flag.length, form, by: "command" };
  }
  if (!/^--?[A-Za-z][\w.-]{2,40}$/.test(word)) return undefined;
  if (PAIR_OPTIONS.has(word) && command === "curl")
    return { at: "next", form: "user:password", by: "command" };
  if (CREDENTIALS.test(word)) return { at: "next", form: "user:password", by: "command" };
  const kind = optionKind(word);
  return namesSecret(kind) && kind !== "authorization"
    ? { at: "next", form: "password", by: "name" }
    : undefined;
}
