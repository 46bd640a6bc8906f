import type { Checkpoint } from "../../checkpoints/document.ts";
import type { GovernanceReport } from "../../project/governance/governance-report.ts";
import type { ListedTrail } from "../../project/history/trails.ts";
import type { PruneResult } from "../../project/keeping/prune.ts";
import type { UsageResult } from "../../project/keeping/usage.ts";
import type { verify } from "../../project/keeping/verify.ts";
import type { diff } from "../../project/looking/diff.ts";
import type { AgentSessionReport } from "../../project/looking/sessions.ts";
import type { SummaryResult } from "../../project/looking/summary.ts";
import type { TimelineResult } from "../../project/looking/timeline.ts";
import type { TaggedCheckpoint } from "../../project/history/tags.ts";
import type { AnswerResult } from "../../project/runs/answer.ts";
import type { OpenQuestion } from "../../project/runs/questions.ts";
import type { RunLogsResult } from "../../project/runs/run-logs.ts";
import type { LogEntry } from "../../store/contract.ts";
import type { Run } from "../../workflow/run/run-state.ts";
import type { RunSummary } from "../../workflow/runner/find-runs.ts";
import type { Resumed } from "../resumed.ts";

/** Everything in it may come from an agent or a file, and is only ever shown as text. */
export type WorkState = Readonly<Record<string, unknown>>;

/** What each verb answers that the page calls. */
export interface Answers {
  readonly trails: readonly ListedTrail[];
  readonly timeline: TimelineResult;
  readonly load: Checkpoint<WorkState>;
  readonly diff: Awaited<ReturnType<typeof diff>>;
  readonly summary: SummaryResult;
  readonly runs: readonly RunSummary[];
  readonly runLogs: RunLogsResult;
  readonly questions: { readonly questions: readonly OpenQuestion[] };
  readonly sessions: readonly AgentSessionReport[];
  readonly usage: UsageResult;
  readonly verify: Awaited<ReturnType<typeof verify>>;
  readonly prune: PruneResult;
  readonly tags: readonly TaggedCheckpoint[];
  readonly ledger: readonly LogEntry[];
  readonly governanceReport: GovernanceReport;
  readonly answer: AnswerResult;
  readonly resume: Resumed;
  readonly runCancel: unknown;
  readonly restore: unknown;
  readonly fork: unknown;
  readonly tag: unknown;
}

export type { Run, RunSummary };
export type Trail = Answers["trails"][number];
export type Moment = TimelineResult["checkpoints"][number];
