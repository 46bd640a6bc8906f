import { isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../context.ts";
import { decide, digestOf, openQuestion } from "../run/approval.ts";
import { type Artifact, type Decision, type Run } from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import type { Step } from "../definition/types.ts";
import { filesNow } from "./files-now.ts";
import { notesOn } from "./notes.ts";
import { openRunTrail } from "./run-journal.ts";
import { readRun } from "./examine-run.ts";

export interface DecideOptions {
  readonly approved: boolean;
  /** The question; may be left out when only one is open. */
  readonly step?: string | undefined;
  readonly option?: string | undefined;
  readonly reason?: string | undefined;
  readonly by: string;
  /** How it is known who that is: `given`, `git`, `user` … */
  readonly identity: string;
}

export interface DecidedRun {
  readonly run: Run;
  readonly step: Step;
  readonly decision: Decision;
  /** Files that were approved as they are now, although they changed after the question was asked. */
  readonly changed: readonly Artifact[];
}

/** Tries after which somebody else must be moving the run all the time. */
const MAX_TRIES = 50;

/**
 * Answers a question of a run, from any terminal, whether or not a runner is alive. What is approved is what the
 * files are at this moment: their digest is recorded, and a later change asks again.
 */
export async function decideRun(
  context: Pick<WorkflowContext, "cairn" | "root" | "now">,
  id: string,
  options: DecideOptions,
): Promise<DecidedRun> {
  // Says in words that there is no such run, or that it is damaged.
  await readRun(context, id);
  const trail = openRunTrail(context, id);
  for (let tries = 1; ; tries++) {
    const head = await trail.load();
    const { run } = head.state;
    const step = openQuestion(run, options.step);
    const { files, changed } = await filesNow(context, run, step);
    const decision = decisionOf(options, context.now(), digestOf(files));
    const decided = { ...registered(decide(run, step, decision), files), updated_at: decision.at };
    try {
      await trail.commit(documentOf(decided, head.state), notesOn(run, decided));
      return { run: decided, step, decision, changed };
    } catch (error) {
      if (!isCheckpointError(error, "conflict") || tries >= MAX_TRIES) throw error;
    }
  }
}

function decisionOf(
  { approved, option, reason, by, identity }: DecideOptions,
  now: Date,
  digest: string,
): Decision {
  return {
    approved,
    ...(option !== undefined && { option }),
    ...(reason !== undefined && { reason }),
    by,
    identity,
    at: now.toISOString(),
    digest,
  };
}

/** A person has looked at the files as they are: from now on these are the registered ones. */
function registered(run: Run, files: readonly Artifact[]): Run {
  const there = files.filter(
    ({ sha256, path }) => sha256 !== "missing" && run.artifacts[path]?.sha256 !== sha256,
  );
  return there.length === 0
    ? run
    : {
        ...run,
        artifacts: { ...run.artifacts, ...Object.fromEntries(there.map((file) => [file.path, file])) },
      };
}
