import type { Corpus } from "./corpus.ts";
import type { WorkPlace } from "./folders.ts";
import type { Progress } from "./progress.ts";
import type { Stores } from "./stores.ts";

/** What every figure works with. */
export interface Bench {
  readonly corpus: Corpus;
  readonly place: WorkPlace;
  readonly progress: Progress;
  readonly stores: Stores;
}

/** A group of rows that are measured together; its name selects it: npm run bench -- load */
export interface Figure {
  readonly name: string;
  readonly title: string;
  measure(bench: Bench): Promise<readonly Row[]>;
}

export interface Row {
  readonly figure: string;
  /** What it must reach and what it aims at; absent where a number only informs. */
  readonly must?: string;
  readonly aim?: string;
  readonly measured: string;
  readonly verdict: Verdict;
  /** The times and sizes that the number comes from, CPU beside every time. */
  readonly from: string;
}

/** `void`: the machine did not let it be measured. `info`: nothing is promised. */
export type Verdict = "aim" | "ok" | "MISSED" | "void" | "info";

export interface Bounds {
  readonly must: number;
  readonly aim?: number;
  /** What stands behind the numbers; nothing for a ratio. */
  readonly unit?: string;
  readonly digits?: number;
}

/** A row for a number that must not be above its bound. */
export function atMost(figure: string, value: number, bounds: Bounds, from: string): Row {
  return bounded(figure, value, { ...bounds, sign: "≤" }, from);
}

/** A row for a number that must not be below its bound. */
export function atLeast(figure: string, value: number, bounds: Bounds, from: string): Row {
  return bounded(figure, value, { ...bounds, sign: "≥" }, from);
}

export function info(figure: string, measured: string, from: string): Row {
  return { figure, measured, verdict: "info", from };
}

function bounded(figure: string, value: number, bounds: Bounds & { sign: "≤" | "≥" }, from: string): Row {
  const { must, aim, unit = "", digits = 2, sign } = bounds;
  const holds = (bound: number): boolean => (sign === "≤" ? value <= bound : value >= bound);
  const write = (number: number): string => `${number}${unit}`;
  return {
    figure,
    must: `${sign} ${write(must)}`,
    ...(aim === undefined ? {} : { aim: write(aim) }),
    measured: `${value.toFixed(digits)}${unit}`,
    verdict: aim !== undefined && holds(aim) ? "aim" : holds(must) ? "ok" : "MISSED",
    from,
  };
}
