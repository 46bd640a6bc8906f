import { CheckpointError } from "../../core/errors.ts";
import { stateOf } from "../workflow/run/run-state.ts";
import type { ChaosTest } from "./chaos-file.ts";
import type { ChaosTier } from "./chaos-report.ts";
import { differences, resultsOf, type Undisturbed } from "./invariants.ts";
import { opposite } from "./opposite.ts";
import type { PlayedRun } from "./played-run.ts";
import { filesIn, type ProjectCopies } from "./project-copies.ts";
import type { ChaosFault, ChaosTarget } from "./schedule.ts";

/** What runs are played with, and compared to. */
export interface Playing {
  readonly test: ChaosTest;
  readonly tier: ChaosTier;
  readonly copies: ProjectCopies;
  readonly undisturbed: Undisturbed;
}

/** Two runs without faults: what is different in them is different by itself. */
export async function playUndisturbed(test: ChaosTest, tier: ChaosTier, copies: ProjectCopies) {
  const played = await playQuietly(test, tier, copies);
  const undisturbed = { ...played, unsteady: new Set<string>() };
  await learnUnsteady({ test, tier, copies, undisturbed });
  return { undisturbed, run: played.run };
}

export async function learnUnsteady({ test, tier, copies, undisturbed }: Playing): Promise<void> {
  const { files, results } = await playQuietly(test, tier, copies);
  for (const path of differences(undisturbed.files, files)) undisturbed.unsteady.add(path);
  for (const step of differences(undisturbed.results, results)) undisturbed.unsteady.add(`result of ${step}`);
}

async function playQuietly(test: ChaosTest, tier: ChaosTier, copies: ProjectCopies) {
  const copy = copies.make();
  try {
    const { run, ended } = await tier.play(test, [], copy);
    if (run === undefined || ended !== "completed")
      throw new CheckpointError(
        "failed",
        `Without any fault, the run ended ${ended}: ${run?.reason ?? "it never began"}`,
        { hint: `Make it work first: checkpoint run ${test.workflow}`, details: { ended } },
      );
    return { run, files: filesIn(copy.root), results: resultsOf(run) };
  } finally {
    copy.remove();
  }
}

/** What the faults can strike: every step that ran, and every question. */
export function targetsOf(run: NonNullable<PlayedRun["run"]>, wanted: readonly ChaosFault[]): ChaosTarget[] {
  const targets = run.definition.flatMap(({ id, kind, reviewer }) => {
    const { status, result = null } = stateOf(run, id);
    const suits = (fault: ChaosFault) => {
      if (kind === "approval") return fault === "kill" || fault === "twice" || fault === "contradict";
      if (fault === "contradict") return opposite(result, reviewer !== undefined) !== undefined;
      if (["revoke", "net", "full-disk", "clock"].includes(fault)) return kind === "command";
      return kind === "command" || kind === "function";
    };
    const faults = status === "completed" ? wanted.filter(suits) : [];
    return faults.length === 0 ? [] : { step: id, faults };
  });
  if (targets.length > 0) return targets;
  throw new CheckpointError("usage", "No step of this workflow can be struck by these faults.", {
    hint: "Take faults out of the chaos file, to have all of them.",
  });
}
