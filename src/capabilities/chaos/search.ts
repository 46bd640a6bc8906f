import { CheckpointError } from "../../core/errors.ts";
import type { Project } from "../../work/project/project.ts";
import { type Run, stateOf } from "../workflow/run/run-state.ts";
import type { ChaosTest } from "./chaos-file.ts";
import { type ChaosFault, suits } from "./faults.ts";
import { type BrokenInvariant, brokenInvariants, differences, remainsOf } from "./invariants.ts";
import { type ChaosTier, type PlayedRun, playSchedule } from "./play.ts";
import type { ProjectCopies } from "./project-copies.ts";
import type { ChaosEvent, ChaosTarget } from "./schedule.ts";
import { callsIn } from "./striker.ts";

/** Plays schedules, and compares what is left with what is left without faults. */
export interface ChaosSearch {
  /** What is another one each time, even without faults, so that it is not compared. */
  readonly unsteady: ReadonlySet<string>;
  targets(wanted: readonly ChaosFault[]): readonly ChaosTarget[];
  /** Which faults struck, and what broke. */
  play(
    schedule: readonly ChaosEvent[],
  ): Promise<{ readonly faults: readonly ChaosFault[]; readonly broken: readonly BrokenInvariant[] }>;
}

/** The id of a run under faults, or the beginning of it. */
export const CHAOS_RUN = "chaos";

/** Plays the workflow twice without faults: what is different in these runs is different by itself. */
export async function openSearch(
  test: ChaosTest,
  tier: ChaosTier,
  { inCopy, env, now }: Pick<ProjectCopies, "inCopy"> & Pick<Project, "env" | "now">,
): Promise<ChaosSearch> {
  let count = 0;
  // On a server, runs stand beside each other.
  const started = `${CHAOS_RUN}-${now().getTime()}`;
  const play = <Value>(schedule: readonly ChaosEvent[], look: (played: PlayedRun) => Promise<Value>) =>
    inCopy(async (copy) => {
      const run = tier.name === "workers" ? `${started}-${++count}` : CHAOS_RUN;
      return look(await playSchedule(tier, { ...copy, test, schedule, run }));
    });
  const quietly = () =>
    play([], async ({ run, ended, root }) => {
      if (run === undefined || ended !== "completed") throw doesNotWork(test, ended, run);
      return { run, remains: remainsOf(root, run) };
    });
  const first = await quietly();
  const unsteady = new Set<string>();
  const learn = async () => {
    const before = unsteady.size;
    for (const name of differences(first.remains, (await quietly()).remains)) unsteady.add(name);
    return unsteady.size > before;
  };
  await learn();
  return {
    unsteady,
    targets: (wanted) => targetsOf(first.run, wanted),
    play: (schedule) =>
      play(schedule, async (played) => {
        const faults = callsIn(played.events).flatMap(({ fault }) => fault ?? []);
        const differing = differences(first.remains, remainsOf(played.root, played.run));
        const judge = () =>
          brokenInvariants(played, { test, env, differing: differing.filter((name) => !unsteady.has(name)) });
        const broken = await judge();
        // What also differs without faults by now is no finding: time has passed.
        const isOld = broken.some(({ invariant }) => invariant === "same-result") && (await learn());
        return { faults, broken: isOld ? await judge() : broken };
      }),
  };
}

function doesNotWork({ workflow }: ChaosTest, ended: string, run: Run | undefined): CheckpointError {
  return new CheckpointError(
    "failed",
    `Without any fault, the run ended ${ended}: ${run?.reason ?? "it never began"}`,
    { hint: `Make it work first: checkpoint run ${workflow}`, details: { ended } },
  );
}

/** What the faults can strike: every step that ran, and every question. */
function targetsOf(run: Run, wanted: readonly ChaosFault[]): ChaosTarget[] {
  const targets = run.definition.flatMap((step) => {
    const { status, result = null } = stateOf(run, step.id);
    const faults = status === "completed" ? wanted.filter((fault) => suits(fault, step, result)) : [];
    return faults.length === 0 ? [] : { step: step.id, faults };
  });
  if (targets.length > 0) return targets;
  throw new CheckpointError("usage", "No step of this workflow can be struck by these faults.", {
    hint: "Take faults out of the chaos file, to have all of them.",
  });
}
