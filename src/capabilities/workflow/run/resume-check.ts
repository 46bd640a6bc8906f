import { DAY_MS } from "../../../core/trails/retention-policy.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import { count } from "../../../work/state/words.ts";
import { changedSinceDone, definitionFindings, type DefinitionFacts } from "./check-definition.ts";
import { blocker, warning, type ResumeFinding } from "./resume-finding.ts";
import {
  isDone,
  isPinned,
  stateOf,
  stepOf,
  type Artifact,
  type Run,
  type RunnerIdentity,
} from "./run-state.ts";
import { isOver } from "../../../work/state/run-trail.ts";

/** What was looked at before a resume. */
export interface ResumeFacts extends DefinitionFacts {
  readonly now: Date;
  /** Whether the store is known to belong to this user on this machine. */
  readonly isTrusted: boolean;
  /** The runner that holds the run's lock, if one does. */
  readonly owner?: RunnerIdentity | undefined;
  readonly missing: readonly Artifact[];
  readonly changed: readonly Artifact[];
  /** Files that were missing when the run was imported, and still are. */
  readonly missingSinceImport?: readonly string[];
  /** What was wrong with the file that the run was imported from. */
  readonly importProblems?: readonly string[] | undefined;
  readonly gitHead?: string | undefined;
  /** Changed files that no step of the run is known to have written. */
  readonly dirty: readonly string[];
}

export interface ResumeVerdict {
  readonly verdict: "resume" | "resume with warnings" | "re-plan";
  /** What the command exits with if it does not resume: 4 for trust, 5 for damage, 6 for the rest; 0 if it may. */
  readonly exit_status: 0 | 4 | 5 | 6;
  readonly findings: readonly ResumeFinding[];
}

/** Whether a run has not moved for so long that it is worth asking whether it is still wanted. */
export const isStale = (run: Run, now: Date): boolean =>
  now.getTime() - Date.parse(isUntouchedImport(run) ? run.created_at : run.updated_at) > OLD_MS;

/** A pipeline of another tool of which nothing has run here: its start counts, since only its file says when it moved. */
const isUntouchedImport = ({ steps }: Run) =>
  steps.length > 0 && steps.every(({ attempt, fingerprint }) => attempt === 0 && fingerprint === undefined);

const OLD_MS = 7 * DAY_MS;
const CLOCK_SLACK_MS = 300_000;

/** Whether a run may be resumed, with all reasons. Pure. */
export function checkResume(facts: ResumeFacts): ResumeVerdict {
  if (isOver(facts.run.status)) return verdictOf(over(facts.run));
  return verdictOf([
    ...trust(facts),
    ...lock(facts),
    ...imported(facts),
    ...artifacts(facts),
    ...definitionFindings(facts),
    ...git(facts),
    ...age(facts),
    ...order(facts),
  ]);
}

export function verdictOf(findings: readonly ResumeFinding[]): ResumeVerdict {
  const blockers = findings.filter(({ severity }) => severity === "blocker").map(({ check }) => check);
  if (blockers.length === 0)
    return { verdict: findings.length === 0 ? "resume" : "resume with warnings", exit_status: 0, findings };
  const exit_status =
    blockers.includes("trust") || blockers.includes("question") ? 4 : blockers.includes("integrity") ? 5 : 6;
  return { verdict: "re-plan", exit_status, findings };
}

/** A completed run is not blocked: there is just nothing left to do. */
function over({ id, status, workflow, continued_as: fork }: Run): ResumeFinding[] {
  if (status === "completed") return [];
  if (fork !== undefined)
    return [
      blocker(
        "status",
        `The run continues as ${fork}: only that one can be resumed.`,
        `checkpoint resume ${fork}`,
      ),
    ];
  const remedy = `Start a new one of "${workflow}", or fork this one: checkpoint resume ${id} --resume-step 0`;
  return [blocker("status", `The run is ${status}: it cannot be resumed.`, remedy)];
}

function trust({ isTrusted, run }: ResumeFacts): ResumeFinding[] {
  if (isTrusted) return [];
  const remedy = `checkpoint runs show ${run.id} --commands, and then resume with --trust if you want these commands to run`;
  return [blocker("trust", "This store came from elsewhere, and its runs contain commands.", remedy)];
}

function lock({ owner, run }: ResumeFacts): ResumeFinding[] {
  if (owner === undefined) return [];
  return [
    blocker(
      "lock",
      `Process ${owner.pid} on ${owner.host} has been running it since ${owner.since}.`,
      `Let it finish, or if it hangs: checkpoint resume ${run.id} --take-over`,
    ),
  ];
}

function artifacts({ missing, changed, missingSinceImport = [], run }: ResumeFacts): ResumeFinding[] {
  const finding = ({ path, step }: Artifact, what: string, way: string) =>
    blocker(
      "artifacts",
      `"${path}", made by step "${step}", ${what}.`,
      `${way}, or make it again: checkpoint resume ${run.id} --redo ${step}`,
    );
  return [
    ...missing.map((artifact) => finding(artifact, "is missing", "Bring it back")),
    ...changed.map((artifact) =>
      finding(artifact, "has changed since", "Bring it back, take it as it is (--accept-changes)"),
    ),
    ...(missingSinceImport.length === 0 ? [] : [missingFiles(missingSinceImport, run)]),
  ];
}

function imported({ importProblems = [], run }: ResumeFacts): ResumeFinding[] {
  const remedy = `To start fresh: checkpoint archive ${run.id}. To resume it all the same: checkpoint resume ${run.id} --accept-changes`;
  return importProblems.map((problem) =>
    blocker("import", `The state appears corrupted: ${problem}`, remedy),
  );
}

function missingFiles(paths: readonly string[], { id }: Run): ResumeFinding {
  const files = count(paths.length, "file has", "files have");
  const names = `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? " …" : ""}`;
  const message = `${files} been missing since the import, though the steps are done: ${names}.`;
  const remedy = `Bring them back, or if no later step needs them: checkpoint resume ${id} --accept-changes`;
  return blocker("artifacts", message, remedy);
}

function git({ gitHead, dirty, run }: ResumeFacts): ResumeFinding[] {
  const findings: ResumeFinding[] = [];
  if (run.git_head !== undefined && gitHead !== undefined && gitHead !== run.git_head) {
    const [from, to] = [run.git_head.slice(0, 8), gitHead.slice(0, 8)];
    const moved = `The project has moved from commit ${from} to ${to} since the last step.`;
    findings.push(
      isPinned(run)
        ? warning(
            "git",
            `The run stays on commit ${from}, with its definition and files; this checkout is at ${to}.`,
            `To move it: checkpoint resume ${run.id} --to ${to}`,
          )
        : warning("git", moved, `Check that what is done still fits: git log ${from}..`),
    );
  }
  if (dirty.length > 0) {
    const names = `${dirty.slice(0, 3).join(", ")}${dirty.length > 3 ? " …" : ""}`;
    const files = dirty.length === 1 ? "A file has" : `${dirty.length} files have`;
    const message = `${files} changed that no step of this run registered: ${names}.`;
    findings.push(warning("git", message, "git status"));
  }
  return findings;
}

function age({ run, now }: ResumeFacts): ResumeFinding[] {
  const ageMs = now.getTime() - Date.parse(run.updated_at);
  if (ageMs < -CLOCK_SLACK_MS) {
    const message = `The run last changed at ${run.updated_at}, which is in the future: a clock is wrong.`;
    return [
      warning("clock", message, "Set the clock; order does not depend on it, but retries and ages do."),
    ];
  }
  if (!isStale(run, now)) return [];
  const remedy = `To start afresh instead: checkpoint archive ${run.id}`;
  const startedMs = now.getTime() - Date.parse(run.created_at);
  const message =
    ageMs > OLD_MS
      ? `The run last changed ${formatDuration(ageMs)} ago.`
      : `The run was started ${formatDuration(startedMs)} ago.`;
  return [warning("age", message, remedy)];
}

/** Nothing can be done before what it waits for, unless the definition was edited in between. */
function order(facts: ResumeFacts): ResumeFinding[] {
  const { run } = facts;
  const isOpen = (id: string) => !isDone(run, id) && stateOf(run, id).status !== "failed";
  const isEdited = changedSinceDone(facts).length > 0;
  return run.definition
    .filter((step) => stateOf(run, step.id).status === "completed")
    .flatMap((step) =>
      step.needs
        .filter((need) => stepOf(run, need) !== undefined && isOpen(need))
        .map((need) =>
          // What was done before an import has no fingerprint: its order was the other tool's.
          (isEdited || stateOf(run, step.id).fingerprint === undefined ? warning : blocker)(
            "order",
            `Step "${step.id}" is done, but "${need}" is not, which it waits for.`,
            `checkpoint resume ${run.id} --redo ${need}`,
          ),
        ),
    );
}
