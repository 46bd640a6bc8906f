/** What a part may use, and how it says how far it is. */
export interface World {
  readonly seed: number;
  /** Small counts: to see that a part works, not to prove anything. */
  readonly isQuick: boolean;
  /** An empty folder of its own, on a disk. */
  readonly folder: string;
  /** The same in memory, for stores that are opened thousands of times. */
  readonly memory: string;
  readonly progress: (text: string) => void;
  /** What the part kept when it was interrupted, if that was for the same commit and seed. */
  readonly recall: () => unknown;
  /** Keeps how far the part is, so that it can go on from there. */
  readonly keep: (state: unknown) => void;
}

/** One line of the published table. */
export interface Row {
  /** What was done to the store or the program. */
  readonly fault: string;
  /** How often, in words: with what was at stake. */
  readonly count: string;
  readonly outcome: string;
  /** What was broken on purpose, and how the same part noticed that. */
  readonly control?: string;
}

/** A part of the proof. It throws when something was lost, wrong or unnamed, or when a fault did not strike. */
export interface Part {
  readonly name: string;
  /** In a few words, for the list of parts. */
  readonly about: string;
  /** The files and folders whose behaviour it shows. Its rows are stale once one of them has changed. */
  readonly proves: readonly string[];
  /** Why it cannot run on this machine, or undefined if it can. */
  readonly whyNot?: (() => string | undefined) | undefined;
  readonly run: (world: World) => Promise<readonly Row[]>;
}

/** Throws unless a part did at least this much: a run that does little proves little. */
export function atLeast(least: number, found: number, what: string): void {
  if (found < least) throw new Error(`Only ${found} ${what}, where at least ${least} were meant.`);
}

/** Throws with the first few problems, if there are any. */
export function none(problems: readonly string[], what: string): void {
  if (problems.length === 0) return;
  throw new Error(`${problems.length} × ${what}:\n  ${problems.slice(0, 5).join("\n  ")}`);
}

export const number = (count: number): string => count.toLocaleString("en-US");
