import type { ClientPlan } from "../../integrations/client-setup/planned-change.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SETUP } from "../table/setup.ts";

/** How a setup came out. */
export interface SetupOutcome {
  readonly options: OptionsOf<typeof SETUP.init>;
  readonly plans: readonly ClientPlan[];
  readonly isWanted: boolean;
  readonly isDone: boolean;
  readonly isFindable: boolean;
  readonly isProject: boolean;
}

/** What the person should know after a setup, and what to type next. */
export function sayMore(
  output: Output,
  { options, plans, isWanted, isDone, isFindable, isProject }: SetupOutcome,
): void {
  const { remove, dryRun, client } = options;
  const again = `checkpoint init${remove ? " --remove" : ""}${client === undefined ? "" : ` --client ${client}`} --yes`;
  if (isWanted && !isDone)
    output.message(
      `Nothing of the clients' settings was ${remove ? "taken back" : "written"}: ${again} does it.`,
    );
  for (const { name, notes, waitsFor } of plans) {
    for (const note of notes) output.message(note);
    if (waitsFor !== undefined) output.message(`${name} does not run our hooks yet: ${waitsFor}.`);
  }
  if (remove) {
    if (!isWanted) output.message("There is nothing of ours to take back.");
    else if (isDone) output.message("What was saved stays: the store is in .cairn.");
    return;
  }
  if (!isFindable)
    output.warning(
      "checkpoint is not on $PATH, where clients look for it: npm install --global cairn-checkpoint",
    );
  if (!isProject)
    output.message(
      "No store is made here, where all folders below would share it: each project gets its own.",
    );
  else if (!dryRun) output.message('Next: checkpoint goal "…", or checkpoint now');
}
