import type { Form, Item } from "./item.ts";
import { originOf } from "./provenance.ts";
import { asText, describeCut, textOf } from "../../text/untrusted.ts";
import { clip, oneLine, visible } from "../../text/visible.ts";

/** Longer than this, even the full form of anything that is not essential is cut: the store has the rest. */
const FULL = 1000;
const SHORT = 110;
const POINTER = 36;

/** What every item needs; the forms follow from the words unless they are given. */
export type Draft = Pick<Item, "id" | "section" | "tier" | "value" | "words"> &
  Partial<Pick<Item, "units" | "forms" | "origin" | "at" | "isPledged">> & {
    /** The thing it was read from, which may say who recorded it and when. */
    readonly from?: unknown;
  };

export function item(draft: Draft): Item {
  return {
    id: oneLine(draft.id),
    section: draft.section,
    tier: draft.tier,
    value: draft.value,
    isPledged: draft.isPledged ?? false,
    units: draft.units ?? 1,
    forms: draft.forms ?? formsOf(draft.words),
    origin: originFrom(draft),
    at: draft.at ?? textOf(draft.from, "at", "timestamp", "last_checked"),
    words: draft.words,
  };
}

/** That something was imported goes before whoever else could have recorded it. */
function originFrom({ origin, from }: Draft): Item["origin"] {
  const said = originOf(from);
  return said === "imported" ? said : (origin ?? said);
}

/** Above this length a remark is taken to say something; `wip` does not. */
const TELLING = 40;

/** What a sentence is worth: very short ones tell less. */
export function worthOf(value: number, words: string): number {
  return value * Math.min(1, (words.length + 8) / TELLING);
}

/** Essential items have one form: all of it, word for word. */
export function verbatim(words: string): readonly [Form] {
  return [{ name: "full", text: block(words), worth: 1, shows: 1 }];
}

/** Full; the first hundred characters; the first few words. Forms that would not be shorter are left out. */
export function formsOf(words: string, short: string = words): readonly [Form, ...Form[]] {
  const full: Form = { name: "full", text: block(clip(words, FULL)), worth: 1, shows: 1 };
  // Cut before it is made visible, so that what is missing is counted as it was recorded.
  return withShorter(full, [
    { name: "short", text: bullet(oneLine(clip(short, SHORT))), worth: 0.72, shows: 1 },
    { name: "pointer", text: bullet(oneLine(clip(short, POINTER))), worth: 0.25, shows: 1 },
  ]);
}

/** The full form, and those of the others that are worth having because they are shorter than the one before. */
export function withShorter(full: Form, shorter: readonly Form[]): readonly [Form, ...Form[]] {
  const forms: [Form, ...Form[]] = [full];
  for (const form of shorter) {
    if (form.text.length < forms.at(-1)!.text.length * 0.8) forms.push(form);
  }
  return forms;
}

/** One line of a list, from text that is visible already. */
export function bullet(text: string): string {
  return `- ${withoutLabel(text)}`;
}

/**
 * Several lines of a list item. Every line after the first starts with a bar, so that no recorded line can be
 * taken for a heading, a tag or an item of ours.
 */
function block(words: string): string {
  const [first = "", ...rest] = visible(words).split("\n");
  return [`- ${withoutLabel(first)}`, ...rest.map((each) => `  | ${each}`.trimEnd())].join("\n");
}

/** Recorded text that starts like one of our labels would forge who recorded it: the bracket is escaped. */
function withoutLabel(text: string): string {
  if (!text.startsWith("[") && !text.startsWith(" ")) return text;
  return text.replace(/^\s*\[(?=\s*(?:person|agent|tool|imported|unknown)\s*\])/i, "\\[");
}

const SENTENCE = ["text", "what", "subject", "name", "title", "summary"];

/** The words of something that was meant as a sentence: a string, a remark, or whatever else is there. */
export function sentenceOf(value: unknown, ...names: readonly string[]): string | undefined {
  return asText(value) ?? textOf(value, ...names, ...SENTENCE) ?? shapeless(value);
}

/** The same without any limit, for what must be told word for word: a rule that is cut is another rule. */
export function wholeSentenceOf(value: unknown): string | undefined {
  return asText(value) ?? textOf(value, ...SENTENCE) ?? shapeless(value, Infinity);
}

function shapeless(value: unknown, limit?: number): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return undefined;
  const described = describeCut(value, limit);
  return ["{}", "[]"].includes(described) ? undefined : described;
}
