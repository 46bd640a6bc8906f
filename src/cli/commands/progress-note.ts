import { relative } from "node:path";
import { CheckpointError } from "../../errors.ts";
import { noteProgress } from "../../workflow/progress/note-progress.ts";
import { checkName } from "../../workflow/progress/progress.ts";
import { cleanNotes, meaningful } from "../../project/commit-work.ts";
import { openProgress } from "../../project/runs/open-progress.ts";
import type { CommandOf } from "../command.ts";
import type { RUNS } from "../table/runs.ts";

/** Note what an agent did: a checkpoint, and its progress file */
export const progressNote: CommandOf<(typeof RUNS)["progress note"]> = async (context, options, output) => {
  const typed = meaningful(options.text, "The note");
  const feature = options.feature ?? missing("--feature", "what is worked on");
  const project = context.project;
  const agent = project.actor.agentId ?? missing("--agent", "who did it");
  // Before a store is made for them.
  checkName("feature", feature);
  checkName("agent", agent);
  if (options.team !== undefined) checkName("team", options.team);
  const progress = await openProgress(project);
  const { notes: text = typed } = await cleanNotes(project, typed);
  const { team, phase, status, milestone } = options;
  const noted = await noteProgress(progress, { feature, agent, text, team, phase, status, milestone });
  const file = relative(progress.root, noted.file);
  output.result(
    { checkpoint: noted.checkpoint, file, progress: noted.progress },
    noted.checkpoint.checkpoint_id,
  );
  if (!output.json) output.message(`Wrote ${file}.`);
};

function missing(option: string, what: string): never {
  throw new CheckpointError("usage", `checkpoint progress note needs ${option}: ${what}.`, {
    hint: 'checkpoint progress note --feature login --agent tester "Wrote the first test"',
    details: { option },
  });
}
