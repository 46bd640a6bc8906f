import type { Recorder } from "./provenance.ts";
import type { SectionName } from "./sections.ts";

/**
 * How much a briefing needs an item. 0: without it the next agent does harm or the wrong thing, so no briefing goes
 * without it. 1: where the work stands and what stops it. 2: saves work. 3: nice to have.
 */
export type ItemTier = 0 | 1 | 2 | 3;

/** An item as it is shown. */
export interface Fitted {
  /** One or more lines, ready to print. */
  readonly text: string;
  /** Whether nothing of it is missing. */
  readonly isWhole: boolean;
  /** How many things of the section this shows; a list of files shows several. */
  readonly shows: number;
}

/**
 * The item in at most so many characters; undefined if that is too little to say anything. `before` is the text that
 * stands above it, so that nothing need be said twice.
 */
export type Fit = (chars: number, before?: readonly string[]) => Fitted | undefined;

/** A part of an item, in characters, and what it is worth relative to the item's other parts. */
interface Part {
  readonly length: number;
  readonly worth: number;
}

/** Something that a briefing can say. */
export interface Item {
  /** Where it comes from in the state, such as `tasks[3]`. */
  readonly id: string;
  readonly section: SectionName;
  readonly tier: ItemTier;
  /** Its worth to the next agent, relative to other items of its section. */
  readonly value: number;
  /** How many things of the section this item stands for. */
  readonly units: number;
  readonly fit: Fit;
  /** What it can be cut into: the best parts of a whole section are told first. */
  readonly parts?: readonly Part[] | undefined;
  readonly origin: Recorder | undefined;
  /** Its own words without decoration: for shortening an essential item, and for judging its relevance. */
  readonly words: string;
}
