import { foreignTime } from "../foreign-fields.ts";
import { futureTimes } from "./pipeline.ts";

/** The phases of the workflow that writes these files, in their order. */
export const PHASES: readonly string[] = [
  "REQUIREMENTS",
  "ARCHITECTURE",
  "IMPLEMENTATION",
  "VERIFICATION",
  "REFLECTION",
];

/** What a phase file says, as far as it can contradict itself. */
export interface WrittenPhases {
  readonly name: string;
  readonly started_at: string | null;
  readonly updated: string | null;
  readonly completed: readonly { readonly name: string; readonly at: string | null }[];
  readonly approved: readonly { readonly phase: string | null; readonly at: string | null }[];
  /** Whether its writer was interrupted while it wrote. */
  readonly isTorn: boolean;
}

/** What is wrong with a phase file: its writing was interrupted, its phases or its times are not possible. */
export function phaseProblems(found: WrittenPhases, now: string): string[] {
  return [
    ...(found.isTorn
      ? [
          "It was being written when the work was interrupted: interruption_safe is false, so check the phase first.",
        ]
      : []),
    ...wrongOrder(found),
    ...wrongTimes(found, now),
  ];
}

/** Every phase before the current one is completed, once and in order; none after it is. */
function wrongOrder({ name, completed }: WrittenPhases): string[] {
  const names = completed.map((phase) => phase.name);
  const before = PHASES.slice(0, PHASES.indexOf(name));
  const expected = names.at(-1) === name ? [...before, name] : before;
  if (names.join() === expected.join()) return [];
  const are = names.length === 0 ? "no phase is" : `${names.join(", ")} ${names.length === 1 ? "is" : "are"}`;
  return [`The progression of its phases is not possible: it is in ${name}, and ${are} completed.`];
}

function wrongTimes({ started_at, updated, completed, approved }: WrittenPhases, now: string): string[] {
  const inside = [...completed.map(({ at }) => at), ...approved.map(({ at }) => at), updated];
  const future = futureTimes([started_at, ...inside], now);
  const begin = started_at === null ? -Infinity : foreignTime(started_at);
  const early = inside.find((time) => time !== null && foreignTime(time) < begin);
  return early === undefined
    ? future
    : [...future, `The time ${early} in it is before its start, ${started_at}.`];
}
