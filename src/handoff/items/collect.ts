import { essentials } from "./essentials.ts";
import { files } from "./files.ts";
import { records } from "./records.ts";
import { situation } from "./situation.ts";
import { tasks } from "./tasks.ts";
import { recordedValues, required } from "./values.ts";
import type { Item } from "./item.ts";
import { isImported, withImportMarks } from "./provenance.ts";
import { valuesFor } from "./relevance.ts";
import { SECTIONS, type SectionName } from "./sections.ts";

export interface ReaderInterest {
  /** What the reader is going to do: a task type or free text. */
  readonly for?: string | undefined;
  /** Variables or fields that must be in. */
  readonly keys?: readonly string[] | undefined;
}

/**
 * Everything that a briefing could say about a state, with its value to the reader: what kind of thing it is, how
 * new it is, and how relevant to the task at hand. Pure: order and values depend on the input alone.
 */
export function collectItems(recorded: unknown, checkpoint: unknown, interest: ReaderInterest): Item[] {
  const demanded = required([...new Set(interest.keys)], recorded, checkpoint);
  const state = withImportMarks(recorded);
  const ids = new Set(demanded.map((item) => item.id));
  const items = [
    ...essentials(state),
    ...demanded,
    ...situation(state, checkpoint),
    ...tasks(state),
    ...files(state),
    ...records(state),
    ...recordedValues(recorded, checkpoint).filter((item) => !ids.has(item.id)),
  ];
  const values =
    interest.for === undefined
      ? items.map(({ value }) => ({ value, isRelevant: false }))
      : valuesFor(interest.for, items);
  const recency = recencyOf(items);
  const origins = new Map(SECTIONS.map((section) => [section.name, section.origin]));
  const imported = isImported(checkpoint);
  return items.map((item, index) => ({
    ...item,
    // Rounded, so that the last bit of a logarithm never decides.
    value: Math.round(values[index]!.value * recency[index]! * 1000) / 1000,
    section: values[index]!.isRelevant ? "relevant" : item.section,
    origin: imported ? "imported" : (item.origin ?? origins.get(item.section)),
  }));
}

/** After this many newer items, half of what age can take away is gone. */
const HALF_LIFE = 4;
/** Sections whose first entries matter most, and those without an order. Elsewhere the last entry is the newest. */
const OLDEST_FIRST: readonly SectionName[] = ["tasks"];
const UNORDERED: readonly SectionName[] = ["situation", "dependencies"];

/** The share of its value that the oldest of many keeps. */
const OLDEST = 0.3;

/** 1 for the newest of a section, falling to 0.3 for the oldest. Ranks, not dates: a briefing knows no clock. */
function recencyOf(items: readonly Item[]): number[] {
  const factors = items.map(() => 1);
  const sections = Map.groupBy(items.keys(), (index) => items[index]!.section);
  for (const [section, indexes] of sections) {
    if (UNORDERED.includes(section)) continue;
    const ordered = newestFirst(indexes, items);
    if (OLDEST_FIRST.includes(section)) ordered.reverse();
    for (const [rank, index] of ordered.entries()) {
      if (items[index]!.tier > 0) factors[index] = OLDEST + (1 - OLDEST) * 2 ** (-rank / HALF_LIFE);
    }
  }
  return factors;
}

/** By the recorded times if every item has one, by position otherwise. */
function newestFirst(indexes: readonly number[], items: readonly Item[]): number[] {
  const dated = indexes.every((index) => /^\d{4}-\d\d-\d\d/.test(items[index]!.at ?? ""));
  return indexes.toSorted((a, b) => {
    const [atA, atB] = [items[a]!.at ?? "", items[b]!.at ?? ""];
    return dated && atA !== atB ? (atA < atB ? 1 : -1) : b - a;
  });
}
