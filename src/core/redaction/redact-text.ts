import { base64End, decodeText, paddingEnd, percentDecoded, type Reading, withoutMarks } from "./readings.ts";
import type { TextPatterns } from "./custom-patterns.ts";
import { type Armour, findAnnounced } from "./find-announced.ts";
import { findAssignment } from "./find-assignments.ts";
import { findRandomArgument, findCall } from "./find-calls.ts";
import { findPair } from "./find-pairs.ts";
import { findFormats } from "./find-formats.ts";
import { findMentioned } from "./find-mentioned.ts";
import { findNamed } from "./find-named.ts";
import { findQuotedPassword } from "./find-phrases.ts";
import { findOption } from "./find-options.ts";
import { findRemembered, remember, type SecretMemory } from "./find-remembered.ts";
import { findRandom } from "./find-random.ts";
import { findShape } from "./find-shapes.ts";
import { findColumns } from "./find-columns.ts";
import { findUrlPassword } from "./find-urls.ts";
import { MIN_TOKEN_LENGTH } from "./randomness.ts";
import { scan } from "./scan.ts";
import { bestRule, mergeSpans, replaceSpans, type Span } from "./span.ts";

/** How often each rule struck. */
export type RuleCounts = Map<string, number>;

interface SearchOptions {
  /** Whether tokens that look random count. Off for values that are called an id, a hash or a path. */
  readonly random: boolean;
  readonly memory?: SecretMemory | undefined;
}

/**
 * Too short for a name and a secret, or one short word of small letters: no rule finds anything in it. Most names and many values
 * of a state are such words; without this, redacting a state of 30 tasks takes a quarter longer.
 */
const HARMLESS = /^(?:.{0,7}|[a-z_]{8,15})$/s;
/** What is left after this many rounds was built to take long. */
const MAX_ROUNDS = 4;

const MAX_ENCODINGS = 2;
const MAX_DOTTED_LENGTH = 96;
/** Not a file: those end in a dot and a few lower-case letters. */
const DOTTED = /^[A-Za-z0-9][^.]*\.(?![a-z]{1,5}$)/;

/**
 * The text without its secrets, and the same string if it has none. Redacts until nothing is found, since a
 * replacement can uncover what stood next to it: redacting the result again changes nothing.
 */
export function redactText(
  text: string,
  patterns: TextPatterns,
  options: SearchOptions,
  counts: RuleCounts,
): string {
  let result = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const spans = spansOf(result, patterns, options);
    if (spans.length === 0) return result;
    for (const { rule, start, end } of spans) {
      counts.set(rule, (counts.get(rule) ?? 0) + 1);
      remember(patterns.memory, result.slice(start, end));
    }
    result = replaceSpans(result, spans);
  }
  return result;
}

function spansOf(text: string, patterns: TextPatterns, options: SearchOptions): Span[] {
  const own = patterns.find(text);
  const builtIn = HARMLESS.test(text) ? [] : findIn(text, { ...options, memory: patterns.memory }, 0);
  const found = own.length === 0 ? builtIn : [...own, ...builtIn];
  if (found.length === 0) return found;
  return mergeSpans(
    text,
    found.filter(({ start, end }) => end > start && !patterns.isAllowed(text.slice(start, end))),
  );
}

/**
 * All secrets in a text, in no order. More than one rule may find the same one.
 *
 * What is decoded here need not be known to any rule. Colours and a shell's own quotation marks say nothing, so only
 * the text without them is searched; percent signs may also separate, so the text is searched both ways.
 */
function findIn(text: string, options: SearchOptions, depth: number): Span[] {
  const plain = withoutMarks(text);
  return plain === undefined
    ? findDecoded(text, options, depth)
    : inOriginal(plain, findDecoded(plain.text, options, depth));
}

function findDecoded(text: string, options: SearchOptions, depth: number): Span[] {
  const found = search(text, options, depth);
  const decoded = depth < MAX_ENCODINGS ? percentDecoded(text) : undefined;
  return decoded === undefined
    ? found
    : [...found, ...inOriginal(decoded, findIn(decoded.text, options, depth + 1))];
}

function inOriginal({ original }: Reading, spans: readonly Span[]): Span[] {
  return spans.map(({ start, end, rule }) => ({ ...original(start, end), rule }));
}

function search(text: string, options: SearchOptions, depth: number): Span[] {
  const found: Span[] = [];
  const armour = findAnnounced(text, found);
  // Kept apart, because the other rules know better what they have found.
  const named: Span[] = [];
  const unnamed: Span[] = [];
  findColumns(text, named);
  findMentioned(text, unnamed);
  if (options.memory !== undefined) findRemembered(text, options.memory, unnamed);
  let decodedUntil = 0;
  let valueEnd = 0;
  scan(text, {
    run(start, end) {
      const before = found.length;
      findFormats(text, start, end, found);
      findShape(text, start, end, found);
      if (found.length > before) return;
      decodedUntil = judgeParts({ text, start, end, armour, options, depth, decodedUntil }, unnamed);
    },
    flag: (start) => findOption(text, start, found),
    call: (start, end) => findCall(text, start, end, found),
    name: (start, end) => findNamed(text, start, end, named),
    delimiter(index) {
      // What is inside a value that goes anyway need not be read again, or `password=password=…` would take long.
      if (index < valueEnd) return;
      const before = found.length;
      if (text[index] === ":") findUrlPassword(text, index, found);
      findAssignment(text, index, found);
      if (text[index] === ":" && found.length === before) findPair(text, index, found);
      if (found.length > before) valueEnd = found.at(-1)?.end ?? 0;
    },
    quote(index) {
      findQuotedPassword(text, index, found);
      findRandomArgument(text, index, unnamed);
    },
  });
  return [...found, ...named, ...unnamed];
}

interface TokenRun {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly armour: readonly Armour[];
  readonly options: SearchOptions;
  readonly depth: number;
  /** Up to where base64 over several lines has been decoded already. */
  readonly decodedUntil: number;
}

/** A run may join what dots and tildes separate; each part is judged by itself: decoded if it can be, else by its looks. */
function judgeParts(
  { text, start, end, armour, options, depth, decodedUntil }: TokenRun,
  found: Span[],
): number {
  const before = found.length;
  let until = decodedUntil;
  let from = start;
  while (from < end) {
    let to = from;
    while (to < end && text[to] !== "." && text[to] !== "~") to += 1;
    if (to - from >= MIN_TOKEN_LENGTH && from >= until) {
      const last = base64End(text, from, to);
      const decoded = depth < MAX_ENCODINGS ? decodeText(text.slice(from, last)) : undefined;
      if (last > to) until = last;
      if (decoded === undefined) {
        if (options.random) findRandom(text, from, to, armour, found);
      } else {
        const rule = bestRule(findIn(decoded, options, depth + 1));
        if (rule !== undefined) found.push({ start: from, end: paddingEnd(text, last), rule });
      }
    }
    from = to + 1;
  }
  // Parts that are too short by themselves may be long enough together.
  const isWhole =
    found.length === before && options.random && until <= start && end - start <= MAX_DOTTED_LENGTH;
  if (isWhole && DOTTED.test(text.slice(start, end))) findRandom(text, start, end, armour, found);
  return until;
}
