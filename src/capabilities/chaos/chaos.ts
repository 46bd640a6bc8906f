import type { Project } from "../../work/project/project.ts";
import type { ChaosTest } from "./chaos-file.ts";
import type { ChaosFinding, ChaosReport, ChaosTier, PlaySchedule } from "./chaos-report.ts";
import { type BrokenInvariant, brokenInvariants } from "./invariants.ts";
import { playHere } from "./play-here.ts";
import { filesIn, projectCopies } from "./project-copies.ts";
import { type ChaosEvent, type ChaosFault, eventText, FAULT_NAMES, schedulesOf } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import { learnUnsteady, type Playing, playUndisturbed, targetsOf } from "./undisturbed.ts";

export interface ChaosOptions {
  readonly tier?: ChaosTier;
  readonly runs?: number | undefined;
  readonly seed?: number | undefined;
  /** Only this schedule is played. */
  readonly replay?: readonly ChaosEvent[] | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, runs: number) => void;
}

const RUNS = 200;
const MOST_EVENTS = 4;

/** Runs a workflow again and again in copies of the project while faults strike, and says which invariants broke. */
export async function chaos(
  project: Pick<Project, "root" | "env" | "now" | "machine">,
  test: ChaosTest,
  options: ChaosOptions = {},
): Promise<ChaosReport> {
  const { pid, host, kill } = project.machine;
  const world = { env: project.env, now: project.now, pid, host, kill };
  const { tier = IN_PROCESS((...args) => playHere(...args, world)), signal, onProgress } = options;
  const { runs = test.runs ?? RUNS, seed = test.seed ?? 1, replay } = options;
  const copies = projectCopies(project.root, test.files);
  try {
    const { undisturbed, run } = await playUndisturbed(test, tier, copies);
    const search = {
      test,
      tier,
      copies,
      undisturbed,
      env: project.env,
      signal,
      struck: new Map<ChaosFault, number>(),
    };
    const wanted = replay?.map(({ fault }) => fault) ?? test.faults ?? FAULT_NAMES;
    const targets = targetsOf(
      run,
      wanted.filter((fault) => !tier.cannot.has(fault)),
    );
    const schedules =
      replay === undefined
        ? schedulesOf(targets, { seed, runs, most: test.events ?? MOST_EVENTS })
        : [replay.filter(({ fault }) => !tier.cannot.has(fault))];
    const findings = new Map<string, ChaosFinding>();
    let played = 0;
    for (const schedule of schedules) {
      if (played === (replay === undefined ? runs : 1) || signal?.aborted) break;
      played++;
      onProgress?.(played, runs);
      for (const { invariant, reason } of await playOne(search, schedule)) {
        const known = findings.get(invariant);
        const found =
          known ?? (await smallestOf(search, { invariant, reason }, schedule, replay === undefined));
        findings.set(invariant, { ...found, first_run: known?.first_run ?? played, runs: found.runs + 1 });
      }
    }
    const { struck } = search;
    const whyNotTried = (fault: ChaosFault) =>
      tier.cannot.get(fault) ??
      (targets.some(({ faults }) => faults.includes(fault)) ? "no run came to it" : "it suits no step");
    return {
      file: test.file,
      workflow: test.definition.name,
      tier: tier.name,
      seed,
      runs: played,
      struck: Object.fromEntries(
        FAULT_NAMES.filter((fault) => struck.has(fault)).map((fault) => [fault, struck.get(fault)!]),
      ),
      not_tried: wanted
        .filter((fault) => !struck.has(fault))
        .map((fault) => ({ fault, reason: whyNotTried(fault) })),
      not_compared: [...undisturbed.unsteady].toSorted(),
      findings: [...findings.values()],
    };
  } finally {
    copies.close();
  }
}

const NEEDS_PROCESSES = "only with --processes";
const IN_PROCESS = (play: PlaySchedule): ChaosTier => ({
  name: "in-process",
  play,
  cannot: new Map(
    (["freeze", "revoke", "net", "full-disk", "clock"] as const).map((fault) => [fault, NEEDS_PROCESSES]),
  ),
});

interface ChaosSearch extends Playing {
  readonly env: Project["env"];
  readonly signal: AbortSignal | undefined;
  /** How often each fault struck, while schedules were looked for. */
  readonly struck: Map<ChaosFault, number>;
}

/** Plays a schedule, and says what broke. What also differs without faults by now is no finding: time has passed. */
async function playOne(
  search: ChaosSearch,
  schedule: readonly ChaosEvent[],
  isCounted = true,
): Promise<BrokenInvariant[]> {
  const { test, tier, copies, undisturbed, env, struck } = search;
  const copy = copies.make();
  try {
    const played = await tier.play(test, schedule, copy);
    for (const event of isCounted ? played.events : [])
      if (event.type === "called" && event.fault !== null)
        struck.set(event.fault, (struck.get(event.fault) ?? 0) + 1);
    const files = filesIn(copy.root);
    const judged = () => brokenInvariants(played, test, { undisturbed, files, env });
    const broken = await judged();
    if (!broken.some(({ invariant }) => invariant === "same-result")) return broken;
    const before = undisturbed.unsteady.size;
    await learnUnsteady(search);
    return undisturbed.unsteady.size === before ? broken : await judged();
  } finally {
    copy.remove();
  }
}

async function smallestOf(
  search: ChaosSearch,
  { invariant, reason }: BrokenInvariant,
  schedule: readonly ChaosEvent[],
  mayShrink: boolean,
): Promise<ChaosFinding> {
  let why = reason;
  const fails = async (some: readonly ChaosEvent[]) => {
    if (search.signal?.aborted) return false;
    const broken = (await playOne(search, some, false)).find((each) => each.invariant === invariant);
    if (broken !== undefined) why = broken.reason;
    return broken !== undefined;
  };
  const { smallest, tries } = mayShrink ? await shrink(schedule, fails) : { smallest: schedule, tries: 0 };
  const found = schedule.map(eventText);
  return { invariant, reason: why, first_run: 0, runs: 0, found, smallest: smallest.map(eventText), tries };
}
