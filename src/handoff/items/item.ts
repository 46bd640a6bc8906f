import type { Recorder } from "./provenance.ts";
import type { SectionName } from "./sections.ts";

/**
 * How much a briefing needs an item. 0: without it the next agent does harm or the wrong thing, so no briefing goes
 * without it. 1: where the work stands and what stops it. 2: saves work. 3: nice to have.
 */
export type ItemTier = 0 | 1 | 2 | 3;

/** One way to show an item. */
export interface Form {
  readonly name: "full" | "short" | "pointer";
  /** One or more lines, ready to print. */
  readonly text: string;
  /** The share of the item's value that this form keeps. */
  readonly worth: number;
  /** How many things of the section this form shows; a group of files shows several. */
  readonly shows: number;
}

/** Something that a briefing can say, before its cost is known. */
export interface Item {
  /** Where it comes from in the state, such as `tasks[3]`. */
  readonly id: string;
  readonly section: SectionName;
  readonly tier: ItemTier;
  /** Its worth to the next agent, relative to other items. */
  readonly value: number;
  /** Belongs in every briefing in which it fits beside the essentials. */
  readonly isPledged: boolean;
  /** Left to a higher level, even if there is room. */
  readonly isHeldBack?: boolean;
  /** How many things of the section this item stands for. */
  readonly units: number;
  /** At least one, the fullest first. */
  readonly forms: readonly [Form, ...Form[]];
  readonly origin: Recorder | undefined;
  /** When it was recorded, if known: ISO 8601, which sorts as text. */
  readonly at?: string | undefined;
  /** Its own words without decoration: for shortening an essential item, and for judging its relevance. */
  readonly words: string;
}
