import { closing, heading, leftOut, opening, type Frame } from "./frame.ts";
import { SAMPLE_MARKER } from "./fence.ts";
import type { Form, Item } from "./item.ts";
import { plus, type Meter, type Size } from "./meter.ts";
import type { Origin } from "./provenance.ts";
import { SECTIONS, type Section } from "./sections.ts";

/** An item with what each of its forms costs. */
export interface Candidate {
  readonly item: Item;
  readonly section: PricedSection;
  /** Who recorded it, where its section mixes origins; empty elsewhere. */
  readonly label: string;
  readonly forms: readonly PricedForm[];
}

export interface PricedForm extends Form {
  readonly size: Size;
  readonly value: number;
}

/** A section with what it costs to open it and to leave something out of it. */
export interface PricedSection {
  readonly section: Section;
  /** Who recorded everything in it; undefined when that is unknown or differs from item to item. */
  readonly origin: Origin | undefined;
  readonly total: number;
  readonly headingSize: Size;
  readonly cutHeadingSize: Size;
  /** What it costs to name it at the end of the text when nothing of it is shown. */
  readonly leftOutSize: Size;
}

/** What to choose from, and within which limits. */
export interface Problem {
  readonly limits: Size;
  /** What the frame costs when nothing is in it. */
  readonly frameSize: Size;
  readonly candidates: readonly Candidate[];
  readonly sections: readonly PricedSection[];
}

export function createProblem(items: readonly Item[], frame: Frame, meter: Meter): Problem {
  const bySection = Map.groupBy(items, (item) => item.section);
  const sections: PricedSection[] = [];
  const candidates: Candidate[] = [];
  for (const section of SECTIONS) {
    const members = bySection.get(section.name);
    if (members === undefined) continue;
    const isMixed = members.some((item) => item.origin !== members[0]!.origin);
    const priced = priceSection(section, { members, isMixed }, frame, meter);
    sections.push(priced);
    for (const item of members) {
      const label = isMixed ? `[${item.origin ?? "unknown"}] ` : "";
      const forms = item.forms.map((form) => priceForm(form, item.value, label, meter));
      candidates.push({ item, section: priced, label, forms });
    }
  }
  const edges = [opening(frame, SAMPLE_MARKER), closing(frame, SAMPLE_MARKER, " 0")];
  const frameSize = edges.map((lines) => meter.measure(lines)).reduce(plus);
  return { limits: meter.limits, frameSize, candidates, sections };
}

function priceSection(
  section: Section,
  { members, isMixed }: { members: readonly Item[]; isMixed: boolean },
  frame: Frame,
  meter: Meter,
): PricedSection {
  const total = members.reduce((sum, item) => sum + item.units, 0);
  const origin = isMixed ? undefined : members[0]!.origin;
  return {
    section,
    origin,
    total,
    headingSize: meter.measure(heading(section, frame.dress, { shown: total, total, origin })),
    // No heading of this section is longer than one that shows nearly all.
    cutHeadingSize: meter.measure(heading(section, frame.dress, { shown: total - 1, total, origin })),
    leftOutSize: meter.measureWords(leftOut(section, total)),
  };
}

function priceForm(form: Form, value: number, label: string, meter: Meter): PricedForm {
  const text = form.text.replace(/^- /, `- ${label}`);
  return { ...form, text, size: meter.measure(text), value: value * form.worth };
}
