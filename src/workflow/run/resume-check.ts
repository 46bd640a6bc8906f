import { formatDuration } from "../definition/duration.ts";
import { definitionFindings, type DefinitionFacts } from "./check-definition.ts";
import type { ResumeFinding } from "./resume-finding.ts";
import type { Artifact, Run, RunnerIdentity } from "./run-state.ts";
import { isOver, stateOf } from "./run-state.ts";

/** What was looked at before a resume. Nothing in here decides anything. */
export interface ResumeFacts extends DefinitionFacts {
  readonly now: Date;
  /** Whether the store is known to belong to this user on this machine. */
  readonly isTrusted: boolean;
  /** The runner that holds the run's lock, if one does. */
  readonly owner?: RunnerIdentity | undefined;
  readonly missing: readonly Artifact[];
  readonly changed: readonly Artifact[];
  readonly gitHead?: string | undefined;
  /** Changed files that no step of the run is known to have written. */
  readonly dirty: readonly string[];
}

export interface ResumeVerdict {
  readonly verdict: "resume" | "resume with warnings" | "re-plan";
  /** What the command ends with when it does not resume: 4 for trust, 5 for damage, 6 for the rest; 0 when it may. */
  readonly exit_status: 0 | 4 | 5 | 6;
  readonly findings: readonly ResumeFinding[];
}

const OLD_MS = 7 * 86_400_000;
const CLOCK_SLACK_MS = 300_000;

/** Whether a run may be resumed, with all reasons. Pure. */
export function checkResume(facts: ResumeFacts): ResumeVerdict {
  if (isOver(facts.run.status)) return verdictOf(over(facts.run));
  return verdictOf([
    ...trust(facts),
    ...lock(facts),
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
  const exit_status = blockers.includes("trust") ? 4 : blockers.includes("integrity") ? 5 : 6;
  return { verdict: "re-plan", exit_status, findings };
}

/** One that is completed stands in nobody's way: there is only nothing left to do. */
function over({ id, status, workflow }: Run): ResumeFinding[] {
  if (status === "completed") return [];
  return [
    {
      check: "status",
      severity: "blocker",
      message: `The run is ${status}: it cannot go on.`,
      remedy: `Start a new one of "${workflow}", or fork this one: checkpoint resume ${id} --resume-step 0`,
    },
  ];
}

function trust({ isTrusted, run }: ResumeFacts): ResumeFinding[] {
  if (isTrusted) return [];
  return [
    {
      check: "trust",
      severity: "blocker",
      message: "This store came from elsewhere, and its runs contain commands.",
      remedy: `checkpoint runs show ${run.id} --commands, and then resume with --trust if you want these commands to run`,
    },
  ];
}

function lock({ owner, run }: ResumeFacts): ResumeFinding[] {
  if (owner === undefined) return [];
  return [
    {
      check: "lock",
      severity: "blocker",
      message: `Process ${owner.pid} on ${owner.host} is moving this run since ${owner.since}.`,
      remedy: `Let it finish, or if it hangs: checkpoint resume ${run.id} --take-over`,
    },
  ];
}

function artifacts({ missing, changed, run }: ResumeFacts): ResumeFinding[] {
  const finding = (artifact: Artifact, what: string, way: string): ResumeFinding => ({
    check: "artifacts",
    severity: "blocker",
    message: `"${artifact.path}", made by step "${artifact.step}", ${what}.`,
    remedy: `${way}, or make it anew: checkpoint resume ${run.id} --redo ${artifact.step}`,
  });
  return [
    ...missing.map((artifact) => finding(artifact, "is missing", "Bring it back")),
    ...changed.map((artifact) =>
      finding(artifact, "has changed since", "Bring it back, take it as it is (--accept-changes)"),
    ),
  ];
}

function git({ gitHead, dirty, run }: ResumeFacts): ResumeFinding[] {
  const findings: ResumeFinding[] = [];
  if (run.git_head !== undefined && gitHead !== undefined && gitHead !== run.git_head) {
    findings.push({
      check: "git",
      severity: "warning",
      message: `The project has moved from commit ${run.git_head.slice(0, 8)} to ${gitHead.slice(0, 8)} since the last step.`,
      remedy: `Look whether what is done still fits: git log ${run.git_head.slice(0, 8)}..`,
    });
  }
  if (dirty.length > 0) {
    const names = dirty.slice(0, 3).join(", ");
    findings.push({
      check: "git",
      severity: "warning",
      message: `${dirty.length === 1 ? "A file has" : `${dirty.length} files have`} changed that no step of this run registered: ${names}${dirty.length > 3 ? " …" : ""}.`,
      remedy: "git status",
    });
  }
  return findings;
}

function age({ run, now }: ResumeFacts): ResumeFinding[] {
  const ageMs = now.getTime() - Date.parse(run.updated_at);
  if (ageMs < -CLOCK_SLACK_MS) {
    return [
      {
        check: "clock",
        severity: "warning",
        message: `The run was last moved at ${run.updated_at}, which is in the future: a clock is wrong.`,
        remedy: "Set the clock; order does not depend on it, but retries and ages do.",
      },
    ];
  }
  if (ageMs <= OLD_MS) return [];
  return [
    {
      check: "age",
      severity: "warning",
      message: `The run was last moved ${formatDuration(ageMs)} ago.`,
      remedy: `To start afresh instead: checkpoint archive ${run.id}`,
    },
  ];
}

/** Nothing can be done before what it waits for, unless the definition was edited in between. */
function order({ run, edited, removed }: ResumeFacts): ResumeFinding[] {
  const isDone = (id: string) => ["completed", "skipped", "failed"].includes(stateOf(run, id).status);
  const ids = new Set(run.definition.map((step) => step.id));
  const wrong = run.definition.flatMap((step) =>
    stateOf(run, step.id).status !== "completed"
      ? []
      : step.needs.filter((need) => ids.has(need) && !isDone(need)).map((need) => ({ step: step.id, need })),
  );
  const severity = edited.length + removed.length > 0 ? ("warning" as const) : ("blocker" as const);
  return wrong.map(({ step, need }) => ({
    check: "order",
    severity,
    message: `Step "${step}" is done, but "${need}" is not, which it waits for.`,
    remedy: `checkpoint resume ${run.id} --redo ${need}`,
  }));
}
