/** A small state in which every lost commit shows: what was counted, and a bounded list of who counted last. */
export interface Counter {
  readonly count: number;
  readonly recent: readonly string[];
}

export function increment(state: Counter): Counter {
  const recent = [...state.recent, `process ${process.pid} after ${state.count}`].slice(-20);
  return { count: state.count + 1, recent };
}
