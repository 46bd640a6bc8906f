import { fenceMarker } from "../frame/fence.ts";
import { closing, heading, missingNote, opening } from "../frame/frame.ts";
import { bullet } from "../items/forms.ts";
import type { Fitted, Item } from "../items/item.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import { deal, sum } from "./deal.ts";
import type { Prepared, PreparedItem, PreparedSection } from "./prepare.ts";

/** Less of an item than this is not worth its place. */
const BEGINNING = [{ length: 110, worth: 1 }];
/** A heading costs about this much. */
const HEADING = 40;

/** A text, and what it shows. */
export interface Composed {
  readonly text: string;
  readonly shown: ReadonlyMap<Item, Fitted>;
}

export interface Room {
  /** Characters for what is not essential. */
  readonly optional: number;
  /** How many essential items are shown, the most important first, and how long each may be. */
  readonly essentials?: number | undefined;
  readonly longest?: number | undefined;
}

/** The briefing for a given room: frame, sections in order, what was left out. The same input gives the same bytes. */
export function compose(
  prepared: Prepared,
  { optional, essentials = Infinity, longest = Infinity }: Room,
): Composed {
  const { frame, key, sections } = prepared;
  const ranked = sections.flatMap(({ essential }) => essential).toSorted(byValue);
  const chosen = new Set(ranked.slice(0, essentials));
  const rooms = dealSections(sections, optional);
  const shown = new Map<Item, Fitted>();
  const lines: string[] = [];
  for (const [index, part] of sections.entries()) {
    for (const each of part.essential) if (chosen.has(each)) show(shown, each, cutTo(each.item, longest));
    fillSection(part, rooms[index]!, { shown, before: lines });
    lines.push(...sectionLines(part, frame.style, shown));
  }
  const absent = sections.filter(
    ({ essential, optional: others }) => ![...essential, ...others].some(({ item }) => shown.has(item)),
  );
  const marker = fenceMarker(key, lines.join("\n"));
  const text = [opening(frame, marker), ...lines, closing(frame, marker, missingNote(absent))].join("\n");
  return { text, shown };
}

const byValue = (a: PreparedItem, b: PreparedItem) => b.item.value - a.item.value;

/** How much room would hold everything. */
export function roomForAll({ sections }: Prepared): number {
  return sum(sections.map(wantOf));
}

function wantOf({ section, optional }: PreparedSection): number {
  if (optional.length === 0) return 0;
  const all = sum(optional.map(({ length }) => length));
  return Math.min(section.most ?? Infinity, all) + HEADING;
}

/** The floors first, then the rest by shares. */
function dealSections(sections: readonly PreparedSection[], room: number): number[] {
  const wants = sections.map(wantOf);
  const atLeast = sections.map(({ section }, index) => Math.min(section.floor, wants[index]!));
  const needs = sections.map(({ section }) => section.floor || 1);
  const floors = deal(room, atLeast, needs);
  const left = wants.map((want, index) => want - floors[index]!);
  const shares = sections.map(({ section }) => section.share);
  const more = deal(room - sum(floors), left, shares);
  return floors.map((floor, index) => floor + more[index]!);
}

/** The items of a section, each as long as its value allows; what one leaves goes to the next. */
function fillSection(
  { optional, essential }: PreparedSection,
  room: number,
  { shown, before }: { readonly shown: Map<Item, Fitted>; readonly before: readonly string[] },
): void {
  const own = essential.length > 0 ? room : room - HEADING;
  const ranked = optional.toSorted(byValue);
  const given = dealItems(ranked, own);
  let spare = 0;
  for (const [index, each] of ranked.entries()) {
    const { item, label } = each;
    if (given[index] === 0) continue;
    // Sums of fractions may miss a whole number by a hair.
    const chars = Math.floor(given[index]! + spare + 1e-6);
    const fitted = item.fit(chars - label.length - 1, before);
    if (fitted !== undefined) show(shown, each, fitted);
    spare = chars - (fitted === undefined ? 0 : fitted.text.length + label.length + 1);
  }
}

/** The best parts of all items first, as many as fit; what is left goes to the items that have some. */
function dealItems(items: readonly PreparedItem[], room: number): number[] {
  const given = items.map(() => 0);
  const all = Math.max(0, room);
  let left = all;
  const parts = items.flatMap(({ item: { parts: own = BEGINNING, value } }, index) =>
    own.map(({ length, worth }) => ({ index, length, worth: worth * value })),
  );
  for (const part of parts.toSorted((a, b) => b.worth - a.worth)) {
    // The parts together may be longer than the whole.
    const length = Math.min(part.length, items[part.index]!.length - given[part.index]!);
    // The first may have what there is: its own form decides whether that is enough.
    if (part.worth < 0 || (length > left && left < all)) break;
    given[part.index]! += Math.min(length, left);
    left -= Math.min(length, left);
  }
  const missing = items.map(({ length }, index) => length - given[index]!);
  const isEnough = left >= sum(missing);
  const wants = missing.map((chars, index) => (isEnough || given[index]! > 0 ? chars : 0));
  const weights = items.map(({ item }) => Math.max(0.001, item.value));
  const more = deal(left, wants, weights);
  return given.map((chars, index) => chars + more[index]!);
}

function show(shown: Map<Item, Fitted>, { item, label }: PreparedItem, fitted: Fitted): void {
  const text = fitted.text.replace(/^- /, () => `- ${label}`);
  // A line that says itself how much it leaves out is none of the entries that its section counts.
  shown.set(item, { ...fitted, text, shows: Math.min(fitted.shows, item.units) });
}

function sectionLines(
  part: PreparedSection,
  style: Prepared["frame"]["style"],
  shown: ReadonlyMap<Item, Fitted>,
): string[] {
  const { section, origin, total, essential, optional } = part;
  const inOrder = [...essential, ...optional].flatMap(({ item }) => shown.get(item) ?? []);
  if (inOrder.length === 0) return [];
  const count = sum(inOrder.map(({ shows }) => shows));
  return [heading(section, style, { shown: count, total, origin }), ...inOrder.map(({ text }) => text)];
}

function cutTo(item: Item, longest: number): Fitted {
  if (item.words.length > longest)
    return { text: bullet(oneLine(clip(item.words, longest))), isWhole: false, shows: 1 };
  return item.fit(Infinity)!;
}
