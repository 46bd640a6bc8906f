import { clip, oneLine, visible } from "../../../core/text/visible.ts";
import { condense, type Piece, PIECE_MARKS } from "./condense.ts";
import type { Fit, Fitted, Item } from "./item.ts";
import { recorderOf } from "./provenance.ts";
import { type SectionName, sectionOf } from "./sections.ts";

/** Even in full, anything not essential is cut here: the store has the rest. */
const FULL = 1000;
/** Less than this of a text says nothing. */
const LEAST = 36;
const BULLET = 2;
/** The bullet, and the note on what is missing. */
const MARKS = 20;

/** What every item needs; its tier follows from its section, and how it fits from its words, unless given. */
export type ItemDraft = Pick<Item, "id" | "section" | "value" | "words"> &
  Partial<Pick<Item, "tier" | "units" | "fit" | "parts" | "origin">> & {
    /** What it was read from, which may say who recorded it. */
    readonly from?: unknown;
  };

export function item(draft: ItemDraft): Item {
  const { from: _from, ...given } = draft;
  return {
    tier: sectionOf(draft.section).tier ?? 1,
    units: 1,
    fit: given.fit ?? clipped(given.words),
    ...given,
    id: oneLine(given.id),
    origin: originFrom(draft),
  };
}

/** Those values that are there. */
export function present<T>(values: readonly (T | "" | undefined)[]): T[] {
  return values.filter((value) => value !== undefined && value !== "") as T[];
}

/** The items of a list in the state. `read` returns undefined for an entry that says nothing. */
export function listItems<Entry>(
  section: SectionName,
  entries: readonly Entry[],
  read: (entry: Entry, index: number) => Omit<ItemDraft, "id" | "section" | "from"> | undefined,
): Item[] {
  return entries.flatMap((entry, index) => {
    const draft = read(entry, index);
    return draft === undefined ? [] : [item({ id: `${section}[${index}]`, section, from: entry, ...draft })];
  });
}

/** An imported item stays one, whatever else it says of its origin. */
function originFrom({ origin, from }: ItemDraft): Item["origin"] {
  const said = recorderOf(from);
  return said === "imported" ? said : (origin ?? said);
}

const one = (text: string, isWhole = true): Fitted => ({ text, isWhole, shows: 1 });
const within = (fitted: Fitted, chars: number) => (fitted.text.length <= chars ? fitted : undefined);

/** Word for word, or not at all. */
export function verbatim(words: string, shows = 1): Fit {
  const whole = { ...one(block(words)), shows };
  return (chars) => within(whole, chars);
}

/** All of it; else the first of its shorter forms that fits; else as much of the beginning of the shortest as fits. */
export function clipped(words: string, ...shorter: readonly string[]): Fit {
  const whole = one(block(clip(words, FULL)), words.length <= FULL);
  const brief = shorter.filter((short) => short !== words).map((short) => one(bullet(oneLine(short)), false));
  const shortest = shorter.at(-1) ?? words;
  return (chars) => {
    const form = [whole, ...brief].find(({ text }) => text.length <= chars);
    const room = chars - MARKS;
    if (form !== undefined || room < Math.min(LEAST, shortest.length)) return form;
    // Cut before it is made visible, so that what is missing is counted as it was recorded.
    return (
      within(one(bullet(oneLine(clip(shortest, room))), false), chars) ??
      within(one(bullet(oneLine(clip(shortest, room / 2))), false), chars)
    );
  };
}

/** A longer text: its beginning and its end, or the sentences that say most. */
export function shortenedBy(words: string, shorten: (words: string, chars: number) => string): Fit {
  const whole = one(block(words));
  return (chars) => {
    if (whole.text.length <= chars) return whole;
    // Bars and escapes may make it longer, so it is tried twice.
    for (const room of [chars - MARKS, chars * 0.8 - MARKS]) {
      const text = room < 2 * LEAST ? "" : shorten(words, Math.floor(room));
      const fitted = text === "" ? undefined : within(one(block(text), false), chars);
      if (fitted !== undefined) return fitted;
    }
    return undefined;
  };
}

/** All of it, or the sentences that say most. */
export function condensed(pieces: readonly Piece[]): Pick<Item, "fit" | "parts"> {
  const whole = condense(pieces, Infinity);
  const parts = pieces.map(({ text, score }) => ({ length: text.length + PIECE_MARKS, worth: score }));
  const fit: Fit = (chars) => {
    const text = whole.length + BULLET <= chars ? whole : condense(pieces, chars - BULLET);
    return text === "" ? undefined : within(one(block(text), text === whole), chars);
  };
  return { fit, parts };
}

/** A line, and below it as many further lines as fit. */
export function layered(head: string, details: readonly string[]): Fit {
  const first = bullet(oneLine(head));
  return (chars) => {
    const lines = [first];
    let length = first.length;
    for (const detail of details) {
      const line = `  | ${oneLine(detail)}`;
      length += line.length + 1;
      if (length > chars) break;
      lines.push(line);
    }
    const text = lines.join("\n");
    return text.length <= chars ? one(text, lines.length > details.length) : undefined;
  };
}

/** `label: a, b, c`, with as many of the names as fit, the first ones first, and shorter ones where a long one does not fit. */
export function listed(label: string, names: readonly string[]): Fit {
  const shownNames = names.map((each) => clip(oneLine(each), 120));
  const whole = bullet(`${label}${shownNames.join(", ")}`);
  return (chars) => {
    if (whole.length <= chars && names.length > 0) return { text: whole, isWhole: true, shows: names.length };
    const shown: string[] = [];
    // With room for the count of the others.
    let length = label.length + 14;
    for (const name of shownNames) {
      if (length + name.length > chars) continue;
      shown.push(name);
      length += name.length + 2;
    }
    if (shown.length === 0) return undefined;
    const more = names.length - shown.length;
    return { text: bullet(`${label}${shown.join(", ")} (+${more})`), isWhole: false, shows: shown.length };
  };
}

/** Several things in one line, as many as fit. */
export function lineItem(
  section: "edits" | "situation",
  id: string,
  all: readonly string[],
  { label = "", value }: { readonly label?: string; readonly value: number },
): Item[] {
  if (all.length === 0) return [];
  const words = all.join(" ");
  const parts = [Math.max(110, label.length + all[0]!.length + 16), words.length + 2 * all.length].map(
    (length, at) => ({
      length,
      worth: 1 - at * 0.8,
    }),
  );
  const fit = listed(label, all);
  return [item({ id, section, value, words, units: 0, fit, parts, origin: "tool" })];
}

/** A head and as many of the names behind it as fit; every head comes before more names. */
export function headed(head: string, names: readonly string[]): Pick<Item, "fit" | "parts"> {
  const title = oneLine(clip(head, 200));
  const more = listed(`${title}: `, names);
  const fit: Fit = (chars) => more(chars) ?? within(one(bullet(title), names.length === 0), chars);
  const parts = [title.length + 3, names.join(", ").length + 2];
  return { fit, parts: parts.map((length, at) => ({ length, worth: 1 - at / 2 })) };
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
  const [first = "", ...rest] = visible(words.trim())
    .split("\n")
    .filter((line) => line.trim() !== "");
  return [`- ${withoutLabel(first)}`, ...rest.map((each) => `  | ${each}`.trimEnd())].join("\n");
}

/** Recorded text that starts like one of our labels would forge its origin, so the bracket is escaped. */
function withoutLabel(text: string): string {
  if (!text.startsWith("[") && !text.startsWith(" ")) return text;
  return text.replace(/^\s*\[(?=\s*(?:person|agent|tool|imported|unconfirmed|unknown)\s*\])/i, "\\[");
}
