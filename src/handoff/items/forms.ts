import type { Form, Item } from "./item.ts";
import { recorderOf } from "./provenance.ts";
import type { SectionName } from "./sections.ts";
import { asList, asText, describe, own, textOf } from "../../text/untrusted.ts";
import { clip, oneLine, visible } from "../../text/visible.ts";

/** Even the full form of anything not essential is cut here: the store has the rest. */
const FULL = 1000;
const SHORT = 110;
const POINTER = 36;

/** What every item needs; the forms follow from the words unless given. */
export type ItemDraft = Pick<Item, "id" | "section" | "tier" | "value" | "words"> &
  Partial<Pick<Item, "units" | "forms" | "origin" | "isPledged">> & {
    /** What it was read from, which may say who recorded it and when. */
    readonly from?: unknown;
  };

export function item(draft: ItemDraft): Item {
  const { from, ...given } = draft;
  return {
    isPledged: false,
    units: 1,
    forms: given.forms ?? formsOf(given.words),
    at: textOf(from, "at", "timestamp", "last_checked"),
    ...given,
    id: oneLine(given.id),
    origin: originFrom(draft),
  };
}

/** The items of a list in the state. `read` returns undefined for an entry that says nothing. */
export function listItems(
  state: unknown,
  section: SectionName,
  read: (entry: unknown) => Omit<ItemDraft, "id" | "section" | "from"> | undefined,
): Item[] {
  const found = own(state, section);
  return asList(found).flatMap((entry, index) => {
    const draft = read(entry);
    const id = Array.isArray(found) ? `${section}[${index}]` : section;
    return draft === undefined ? [] : [item({ id, section, from: entry, ...draft })];
  });
}

/** An imported item stays one, whatever else it says of its origin. */
function originFrom({ origin, from }: ItemDraft): Item["origin"] {
  const said = recorderOf(from);
  return said === "imported" ? said : (origin ?? said);
}

/** A remark of this length says something; `wip` does not. */
const TELLING = 40;

/** The value of a sentence: very short ones say less. */
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

/** The full form, and each other form that is clearly shorter than the one before. */
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
 * Several lines of a list item. Every line after the first starts with a bar, so that no recorded line can pose as
 * a heading, a tag or an item of ours.
 */
function block(words: string): string {
  const [first = "", ...rest] = visible(words).split("\n");
  return [`- ${withoutLabel(first)}`, ...rest.map((each) => `  | ${each}`.trimEnd())].join("\n");
}

/** Recorded text that starts like one of our labels would forge its origin, so the bracket is escaped. */
function withoutLabel(text: string): string {
  if (!text.startsWith("[") && !text.startsWith(" ")) return text;
  return text.replace(/^\s*\[(?=\s*(?:person|agent|tool|imported|unknown)\s*\])/i, "\\[");
}

const SENTENCE = ["text", "what", "subject", "name", "title", "summary"];

/** The words of a string, a remark, or whatever else is there; all of them, because a rule cut short is another rule. */
export function sentenceOf(value: unknown, ...names: readonly string[]): string | undefined {
  return asText(value) ?? textOf(value, ...names, ...SENTENCE) ?? shapeless(value);
}

function shapeless(value: unknown): string | undefined {
  return isThere(value) && typeof value === "object" ? describe(value, Infinity) : undefined;
}

/** Whether a value says anything: not null, and not empty. */
export function isThere(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
