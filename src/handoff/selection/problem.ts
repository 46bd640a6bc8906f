import { closing, heading, missingNote, opening, type BriefingFrame } from "../frame/frame.ts";
import { SAMPLE_MARKER } from "../frame/fence.ts";
import type { Form, Item } from "../items/item.ts";
import { plus, type Meter, type Size } from "../tokens/meter.ts";
import type { Recorder } from "../items/provenance.ts";
import { SECTIONS, type BriefingSection } from "../items/sections.ts";

export interface PricedItem {
  readonly item: Item;
  readonly section: PricedSection;
  /** Who recorded it, if its section mixes recorders; else empty. */
  readonly label: string;
  readonly forms: readonly PricedForm[];
}

interface PricedForm extends Form {
  readonly size: Size;
  readonly value: number;
}

export interface PricedSection {
  readonly section: BriefingSection;
  /** Its place among the sections of the problem. */
  readonly at: number;
  /** Who recorded everything in it; undefined if that is unknown or differs from item to item. */
  readonly origin: Recorder | undefined;
  readonly total: number;
  readonly headingSize: Size;
  readonly cutHeadingSize: Size;
}

/** What to choose from, and within which limits. */
export interface SelectionProblem {
  readonly frame: BriefingFrame;
  readonly meter: Meter;
  readonly limits: Size;
  /** What the frame costs when nothing is in it. */
  readonly frameSize: Size;
  readonly candidates: readonly PricedItem[];
  readonly sections: readonly PricedSection[];
  /** What it costs to name the closed sections; `open` has the bit `1 << at` of each open one. */
  noteSize(open: number): Size;
}

export function createProblem(items: readonly Item[], frame: BriefingFrame, meter: Meter): SelectionProblem {
  const bySection = Map.groupBy(items, (item) => item.section);
  const sections: PricedSection[] = [];
  const candidates: PricedItem[] = [];
  for (const section of SECTIONS) {
    const members = bySection.get(section.name);
    if (members === undefined) continue;
    const isMixed = members.some((item) => item.origin !== members[0]!.origin);
    const priced = priceSection(section, { at: sections.length, members, isMixed }, frame, meter);
    sections.push(priced);
    for (const item of members) {
      const label = isMixed && item.origin !== undefined ? `[${item.origin}] ` : "";
      const forms = item.forms.map((form) => priceForm(form, item.value, label, meter));
      candidates.push({ item, section: priced, label, forms });
    }
  }
  const edges = [opening(frame, SAMPLE_MARKER), closing(frame, SAMPLE_MARKER, "")];
  const frameSize = edges.map((lines) => meter.measure(lines)).reduce(plus);
  const noteSize = priceNote(sections, meter);
  return { frame, meter, limits: meter.limits, frameSize, candidates, sections, noteSize };
}

export function closedSections(sections: readonly PricedSection[], open: number): PricedSection[] {
  return sections.filter(({ at }) => (open & (1 << at)) === 0);
}

/** The same few combinations come up again and again, so each is measured once. */
function priceNote(sections: readonly PricedSection[], meter: Meter): SelectionProblem["noteSize"] {
  const known = new Map<number, Size>();
  return (open) => {
    const size = known.get(open) ?? meter.measureWords(missingNote(closedSections(sections, open)));
    known.set(open, size);
    return size;
  };
}

function priceSection(
  section: BriefingSection,
  { at, members, isMixed }: { at: number; members: readonly Item[]; isMixed: boolean },
  frame: BriefingFrame,
  meter: Meter,
): PricedSection {
  const total = members.reduce((sum, item) => sum + item.units, 0);
  const origin = isMixed ? undefined : members[0]!.origin;
  return {
    section,
    at,
    origin,
    total,
    headingSize: meter.measure(heading(section, frame.style, { shown: total, total, origin })),
    // No heading of this section is longer than one that shows nearly all.
    cutHeadingSize: meter.measure(heading(section, frame.style, { shown: total - 1, total, origin })),
  };
}

function priceForm(form: Form, value: number, label: string, meter: Meter): PricedForm {
  const text = label === "" ? form.text : form.text.replace(/^- /, `- ${label}`);
  const size = meter.measure(text);
  return { ...form, text, size, value: value * form.worth };
}
