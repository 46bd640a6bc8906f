import { CheckpointError } from "../../core/errors.ts";

/** What may strike a call of a step, and what it does. */
const FAULTS = {
  kill: "the runner is killed before the step does anything",
  "kill-after-effect": "runner and step are killed after the step's work, before its result is saved",
  fail: "the step fails without doing anything",
  "fail-after-effect": "the step does its work, and then reports a failure",
  slow: "the step's answer comes after those of all other running steps",
  twice: "the step's work is done twice; a question is answered twice",
  late: "the step times out, and its work is done after the next attempt's",
  contradict: "the step answers the opposite: approve is reject, true is false",
  freeze: "the runner is stopped, another takes over, and the first one wakes up",
  revoke: "the project's folders are read-only for the step",
  net: "the step's network connections break, for programs that use the proxy variables",
  "full-disk": "the step cannot write to files",
  clock: "the step's clock is two days ahead",
} as const;

export type ChaosFault = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly ChaosFault[];

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
  if (step !== undefined && Object.hasOwn(FAULTS, fault ?? ""))
    return { step, call: Number(call), fault: fault as ChaosFault };
  throw new CheckpointError("usage", `"${text}" is not an event of a schedule.`, {
    hint: `Write a step, the number of its call, and a fault: build#1 kill. The faults are ${FAULT_NAMES.join(", ")}.`,
    details: { text },
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
