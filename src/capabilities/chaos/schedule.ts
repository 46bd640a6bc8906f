import { CheckpointError } from "../../core/errors.ts";
import { own, parseJson } from "../../core/text/untrusted.ts";
import { readBounded } from "../../work/machine/read-bounded.ts";
import { type ChaosFault, FAULT_NAMES } from "./faults.ts";

/** One strike: the call of a step, counted from 1 over the whole run, and the fault. `charge#1 kill` in text. */
export interface ChaosEvent {
  readonly step: string;
  readonly call: number;
  readonly fault: ChaosFault;
}

/** What may be struck: the steps that run without faults, and the faults that suit each. */
export interface ChaosTarget {
  readonly step: string;
  readonly faults: readonly ChaosFault[];
}

export const eventText = ({ step, call, fault }: ChaosEvent): string => `${step}#${call} ${fault}`;

export function parseEvent(text: string): ChaosEvent {
  const { step, call, fault } = /^(?<step>.+)#(?<call>[1-9]\d*) (?<fault>[\w-]+)$/.exec(text)?.groups ?? {};
  const known = FAULT_NAMES.find((name) => name === fault);
  if (step !== undefined && known !== undefined) return { step, call: Number(call), fault: known };
  throw new CheckpointError("usage", `"${text}" is not an event of a schedule.`, {
    hint: `Write a step, the number of its call, and a fault: build#1 kill. The faults are ${FAULT_NAMES.join(", ")}.`,
    details: { text },
  });
}

const MOST_BYTES = 2 ** 16;

/** Reads the events of a schedule that an earlier report wrote. */
export function readSchedule(path: string, shown: string): ChaosEvent[] {
  const { bytes, problem } = readBounded(path, MOST_BYTES);
  const events = bytes && own(parseJson(bytes.toString("utf8")), "events");
  if (Array.isArray(events) && events.length > 0) return events.map((event) => parseEvent(String(event)));
  throw new CheckpointError("usage", `"${shown}" is not a schedule: ${problem ?? "it has no events"}.`, {
    hint: 'Write it like this: {"events": ["build#1 kill"]}',
    details: { file: shown },
  });
}

/**
 * Schedules without end, the same ones for the same seed. First, in at most half of the runs, each fault by itself at the first
 * call of each step; then several together.
 */
export function* schedulesOf(
  targets: readonly ChaosTarget[],
  { seed, most, runs }: { readonly seed: number; readonly most: number; readonly runs: number },
): Generator<readonly ChaosEvent[]> {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const singles = targets.flatMap(({ step, faults }) => faults.map((fault) => ({ step, call: 1, fault })));
  for (let left = singles.length; left > 1; left--) {
    const other = below(left);
    [singles[left - 1], singles[other]] = [singles[other]!, singles[left - 1]!];
  }
  for (const event of singles.slice(0, Math.ceil(runs / 2))) yield [event];
  for (;;) {
    const events = new Map<string, ChaosEvent>();
    for (let wanted = 2 + below(Math.max(1, most - 1)); wanted > 0; wanted--) {
      const target = targets[below(targets.length)]!;
      // Where a call was struck there is often a next one.
      let call = 1;
      while (events.has(`${target.step}#${call}`)) call++;
      const fault = target.faults[below(target.faults.length)]!;
      events.set(`${target.step}#${call}`, { step: target.step, call, fault });
    }
    yield [...events.values()];
  }
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
