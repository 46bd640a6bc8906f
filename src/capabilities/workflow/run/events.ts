import type { Json } from "../../../core/objects/json.ts";
import type { Artifact } from "./run-state.ts";
import type { RunStatus } from "../../../work/state/run-trail.ts";

type EventOfRun = { readonly run: string } & (
  | {
      readonly type: "run-started" | "run-resumed";
      readonly workflow: string;
      readonly epoch: number;
      readonly completed: number;
      readonly total: number;
      /** What is being done, in the user's words. */
      readonly request: string | null;
      /** The steps that are done. */
      readonly done: readonly string[];
      /** The steps that come next. */
      readonly next: readonly string[];
      /** When the run last changed before this. */
      readonly last_activity: string;
    }
  | {
      readonly type: "run-ended";
      readonly status: RunStatus;
      readonly reason: string | null;
      readonly completed: number;
      readonly total: number;
    }
);

type EventOfAttempt = { readonly run: string; readonly step: string; readonly attempt: number } & (
  | { readonly type: "step-started"; readonly reattached: boolean; readonly output: string }
  | {
      readonly type: "step-completed";
      readonly adopted: boolean;
      readonly duration_ms: number;
      readonly result: Json;
      readonly artifacts: readonly Artifact[];
    }
  | { readonly type: "step-failed"; readonly reason: string; readonly retry_at: string | null }
  | { readonly type: "step-interrupted"; readonly reason: string }
);

type EventOfStep = { readonly run: string; readonly step: string } & (
  | { readonly type: "step-skipped"; readonly reason: string }
  | {
      readonly type: "approval-asked";
      readonly question: string;
      readonly options: readonly string[];
      /** Why it is asked again. */
      readonly reason: string | null;
    }
  | {
      readonly type: "approval-decided";
      readonly approved: boolean;
      readonly by: string;
      readonly option: string | null;
      readonly reason: string | null;
    }
);

/** Something that happened in a run, reported once it is durable: what a live view shows and `--json` streams. */
export type RunEvent = EventOfRun | EventOfStep | EventOfAttempt;

export type OnEvent = (event: RunEvent) => void;
