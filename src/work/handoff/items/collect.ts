import { readWorkState } from "../../state/work-state.ts";
import type { HandoffInput } from "../handoff.ts";
import { agentWords, derivedNextAction } from "./agent-words.ts";
import { changes } from "./changes.ts";
import { essentials } from "./essentials.ts";
import { files } from "./files.ts";
import { records } from "./records.ts";
import { situation, unknowns } from "./situation.ts";
import { projectItems } from "./project.ts";
import { tasks } from "./tasks.ts";
import { recordedValues, required } from "./values.ts";
import type { Item } from "./item.ts";
import { prompts } from "./prompts.ts";
import { valuesFor } from "./relevance.ts";
import { type SectionName, sectionOf } from "./sections.ts";

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
export function collectItems(input: Omit<HandoffInput, "key">, interest: ReaderInterest): Item[] {
  const { checkpoint, isUpdate = false, project = [] } = input;
  const state = readWorkState(input.state);
  const demanded = required([...new Set(interest.keys)], state, checkpoint);
  const ids = new Set(demanded.map((item) => item.id));
  const main = [...essentials(state), ...prompts(state), ...projectItems(project, state)];
  const next = main.some(({ section }) => section === "next_action") ? [] : derivedNextAction(state);
  const items = [
    ...main,
    ...next,
    ...demanded,
    ...situation(state, checkpoint),
    ...(isUpdate ? [] : unknowns([...main, ...next])),
    ...agentWords(state, next),
    ...changes(state),
    ...tasks(state),
    ...files(state),
    ...records(state),
    ...recordedValues(state, checkpoint).filter((item) => !ids.has(item.id)),
  ];
  const values =
    interest.for === undefined
      ? items.map(({ value }) => ({ value, isRelevant: false }))
      : valuesFor(interest.for, items);
  const recency = recencyOf(items);
  // Of a checkpoint that was imported, nothing can vouch for itself.
  const isImported = /^import(?!:trusted$)/i.test(checkpoint.trigger ?? "");
  const imported = new Set(state.imported_texts?.map((text) => text.trim()));
  return items.map((item, index) => ({
    ...item,
    // Rounded, so that the last bit of a logarithm never decides.
    value: Math.round(values[index]!.value * recency[index]! * 1000) / 1000,
    section: values[index]!.isRelevant ? "relevant" : item.section,
    origin:
      isImported || imported.has(item.words.trim())
        ? "imported"
        : (item.origin ?? sectionOf(item.section).origin),
  }));
}

/** What an item counts relative to the next newer one, unless its section says otherwise. */
const DECAY = 0.85;
/** What the oldest of many still counts. */
const LEAST = 0.02;
/** Sections whose first entries matter most. Elsewhere the last entry is the newest. */
const OLDEST_FIRST: readonly SectionName[] = ["tasks"];

/** 1 for the newest of a section, less for each older one. Ranks, not dates: a briefing knows no clock. */
function recencyOf(items: readonly Item[]): number[] {
  const factors = items.map(() => 1);
  for (const [name, indexes] of Map.groupBy(items.keys(), (index) => items[index]!.section)) {
    const { decay = DECAY } = sectionOf(name);
    const ordered = OLDEST_FIRST.includes(name) ? indexes : indexes.toReversed();
    for (const [rank, index] of ordered.entries())
      if (items[index]!.tier > 0) factors[index] = Math.max(LEAST, decay ** rank);
  }
  return factors;
}
