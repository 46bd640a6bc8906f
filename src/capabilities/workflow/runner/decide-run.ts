import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { defined } from "../../../work/yaml/defined.ts";
import type { Step } from "../definition/types.ts";
import { artifactsBefore, decide, digestOfFiles, openQuestion } from "../run/approval.ts";
import type { ApprovalDecision, Artifact, Run } from "../run/run-state.ts";
import { changeRun } from "./change-run.ts";
import { filesNow } from "./files-now.ts";
import { notesOn } from "./notes.ts";
import type { ApprovalAnswer } from "./questions.ts";

export interface DecideOptions extends ApprovalAnswer {
  /** The question; may be left out when only one is open. */
  readonly step?: string | undefined;
  /** What was looked at: refused if it is something else by now. */
  readonly digest?: string | undefined;
}

export interface DecidedRun {
  readonly run: Run;
  readonly step: Step;
  readonly decision: ApprovalDecision;
  /** Files that were approved as they are now, although they changed after the question was asked. */
  readonly changed: readonly Artifact[];
}

/**
 * Answers a question of a run, from any terminal, with or without a live runner. What is approved is the content of
 * the files at this moment: their digest is recorded, and after a later change the question is asked again.
 */
export async function decideRun(
  context: Pick<WorkflowContext, "cairn" | "root" | "now">,
  id: string,
  { approved, step: name, option, reason, digest: seen, by, identity }: DecideOptions,
): Promise<DecidedRun> {
  let made: Omit<DecidedRun, "run"> | undefined;
  const run = await changeRun(context, id, async (before) => {
    const step = openQuestion(before, name);
    const asked = artifactsBefore(before, step);
    const files = before.runs_on === "workers" ? asked : await filesNow(context, asked);
    const changed = files.filter(({ path, sha256 }) => sha256 !== before.artifacts[path]?.sha256);
    const at = context.now().toISOString();
    const digest = digestOfFiles(files);
    if (seen !== undefined && seen !== digest) throw changedMeanwhile(step);
    const decision = { approved, ...defined({ option, reason }), by, identity, at, digest };
    const after = { ...registered(decide(before, step, decision), files), updated_at: at };
    made = { step, decision, changed };
    return { run: after, ...notesOn(before, after) };
  });
  return { run, ...made! };
}

function changedMeanwhile({ id }: Step): CheckpointError {
  return new CheckpointError(
    "conflict",
    `A file that step "${id}" asks about has changed since it was shown.`,
    { hint: "Look at it again, then answer." },
  );
}

/** A person has reviewed the files as they are: from now on these are the registered ones. */
function registered(run: Run, files: readonly Artifact[]): Run {
  const present = files.filter(({ sha256 }) => sha256 !== "missing");
  if (present.every(({ sha256, path }) => run.artifacts[path]?.sha256 === sha256)) return run;
  const artifacts = Object.fromEntries(present.map((file) => [file.path, file]));
  return { ...run, artifacts: { ...run.artifacts, ...artifacts } };
}
