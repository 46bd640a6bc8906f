import type { Project } from "../../work/project/project.ts";
import type { ChaosTest } from "./chaos-file.ts";
import { type ChaosFault, FAULT_NAMES, whyNotTried } from "./faults.ts";
import type { BrokenInvariant } from "./invariants.ts";
import { type ChaosTier, inProcess } from "./play.ts";
import { projectCopies } from "./project-copies.ts";
import { type ChaosEvent, eventText, schedulesOf } from "./schedule.ts";
import { type ChaosSearch, openSearch } from "./search.ts";
import { shrink } from "./shrink.ts";
import type { ChaosReport } from "./verbs.ts";

export interface ChaosOptions {
  readonly tier?: ChaosTier;
  readonly runs?: number | undefined;
  readonly seed?: number | undefined;
  /** Only this schedule is played. */
  readonly replay?: readonly ChaosEvent[] | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, runs: number) => void;
}

type ChaosFinding = ChaosReport["findings"][number];

const RUNS = 200;
const MOST_EVENTS = 4;

/** Runs a workflow again and again in copies of the project while faults strike, and tells which invariants broke. */
export async function chaos(
  project: Pick<Project, "root" | "env" | "now" | "machine">,
  test: ChaosTest,
  options: ChaosOptions = {},
): Promise<ChaosReport> {
  const { replay, signal, onProgress, tier = inProcess(project) } = options;
  const { runs: wantedRuns = test.runs ?? RUNS, seed = test.seed ?? 1 } = options;
  const runs = replay === undefined ? wantedRuns : 1;
  const wanted = new Set(replay?.map(({ fault }) => fault) ?? test.faults ?? FAULT_NAMES);
  const missing = new Map<ChaosFault, string>();
  for (const fault of wanted) {
    const reason = tier.whyNot ?? whyNotTried(fault, tier.name, project.machine.userId === 0);
    if (reason !== undefined) missing.set(fault, reason);
  }
  const struck = new Map<ChaosFault, number>();
  const findings = new Map<string, ChaosFinding>();
  let played = 0;
  let unsteady: ReadonlySet<string> = new Set();
  // Where nothing can strike, nothing is played: the report says why.
  const copies = missing.size === wanted.size ? undefined : projectCopies(project.root, test.files);
  try {
    const search = copies && (await openSearch(test, tier, { ...copies, ...project }));
    if (search !== undefined) ({ unsteady } = search);
    for (const schedule of search === undefined ? [] : schedules(search)) {
      if (played === runs || signal?.aborted) break;
      played++;
      onProgress?.(played, runs);
      const { faults, broken } = await search!.play(schedule);
      for (const fault of faults) struck.set(fault, (struck.get(fault) ?? 0) + 1);
      for (const each of broken) {
        const found = findings.get(each.invariant) ?? (await smallestOf(search!, each, schedule, options));
        findings.set(each.invariant, {
          ...found,
          first_run: found.first_run || played,
          runs: found.runs + 1,
        });
      }
    }
  } finally {
    copies?.close();
  }
  return {
    file: test.file,
    workflow: test.definition.name,
    tier: tier.name,
    seed,
    runs: played,
    struck: Object.fromEntries(
      FAULT_NAMES.filter((fault) => struck.has(fault)).map((fault) => [fault, struck.get(fault)!]),
    ),
    not_tried: [...wanted]
      .filter((fault) => !struck.has(fault))
      .map((fault) => ({ fault, reason: missing.get(fault) ?? "no run came to it" })),
    not_compared: [...unsteady].toSorted(),
    findings: [...findings.values()],
    report: null,
  };

  function schedules(search: ChaosSearch): Iterable<readonly ChaosEvent[]> {
    const possible = [...wanted].filter((fault) => !missing.has(fault));
    if (replay !== undefined) return [replay.filter(({ fault }) => possible.includes(fault))];
    const targets = search.targets(possible);
    for (const fault of possible)
      if (!targets.some(({ faults }) => faults.includes(fault))) missing.set(fault, "it suits no step");
    return schedulesOf(targets, { seed, runs, most: test.events ?? MOST_EVENTS });
  }
}

async function smallestOf(
  search: ChaosSearch,
  { invariant, reason }: BrokenInvariant,
  schedule: readonly ChaosEvent[],
  { replay, signal }: ChaosOptions,
): Promise<ChaosFinding> {
  let why = reason;
  const fails = async (some: readonly ChaosEvent[]) => {
    if (replay !== undefined || signal?.aborted) return false;
    const { broken } = await search.play(some);
    const same = broken.find((each) => each.invariant === invariant);
    why = same?.reason ?? why;
    return same !== undefined;
  };
  const { smallest, tries } = await shrink(schedule, fails);
  const [found, texts] = [schedule.map(eventText), smallest.map(eventText)];
  return { invariant, reason: why, first_run: 0, runs: 0, found, smallest: texts, tries, replay: null };
}
