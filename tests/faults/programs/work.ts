/** The state that the programs commit: a pure function of its step, so that the truth needs no second copy. */
export interface Work {
  step: number;
  /** Long enough to be cut into objects; each step adds one, and the oldest go. */
  log: { id: string; text: string }[];
  /** Changes every seventh step. Comes back, so that an object is needed again after it was swept away. */
  blob: string;
}

const LOG_LENGTH = 24;

/** The name that a trail is imported under. */
export const IMPORTED = "imported";

export const NO_WORK: Work = { step: 0, log: [], blob: "" };

export function advance(work: Work): Work {
  const step = work.step + 1;
  const log = [...work.log, { id: `entry-${step}`, text: noise(step, 40) }].slice(-LOG_LENGTH);
  return { step, log, blob: noise(Math.floor(step / 7) % 3, 400) };
}

/** The state after this many steps. */
export function workAt(step: number): Work {
  let work = { ...NO_WORK, step: Math.max(0, step - LOG_LENGTH) };
  while (work.step < step) work = advance(work);
  return work;
}

const made = new Map<string, string>();

/** Text that does not compress to nothing, the same for the same number. Remembered, because checks ask again and again. */
function noise(number: number, words: number): string {
  const key = `${number}/${words}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  let state = (number * 2654435761 + 12345) >>> 0;
  const text = Array.from({ length: words }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state.toString(36);
  }).join(" ");
  made.set(key, text);
  return text;
}
