import type { Json } from "../../objects/json.ts";
import type { Artifact, RunStatus } from "./run-state.ts";

/** Something that happened in a run, after it was made durable: what a live view shows and `--json` streams. */
export type RunEvent =
  | {
      readonly type: "run-started" | "run-resumed";
      readonly run: string;
      readonly workflow: string;
      readonly epoch: number;
      readonly completed: number;
      readonly total: number;
    }
  | {
      readonly type: "step-started";
      readonly run: string;
      readonly step: string;
      readonly attempt: number;
      readonly reattached: boolean;
      readonly output: string;
    }
  | {
      readonly type: "step-completed";
      readonly run: string;
      readonly step: string;
      readonly attempt: number;
      readonly adopted: boolean;
      readonly duration_ms: number;
      readonly result: Json;
      readonly artifacts: readonly Artifact[];
    }
  | { readonly type: "step-skipped"; readonly run: string; readonly step: string; readonly reason: string }
  | {
      readonly type: "step-failed";
      readonly run: string;
      readonly step: string;
      readonly attempt: number;
      readonly reason: string;
      readonly retry_at: string | null;
    }
  | {
      readonly type: "step-interrupted";
      readonly run: string;
      readonly step: string;
      readonly attempt: number;
      readonly reason: string;
    }
  | {
      readonly type: "approval-asked";
      readonly run: string;
      readonly step: string;
      readonly question: string;
      readonly options: readonly string[];
      /** Why it is asked again. */
      readonly reason: string | null;
    }
  | {
      readonly type: "approval-decided";
      readonly run: string;
      readonly step: string;
      readonly approved: boolean;
      readonly by: string;
      readonly option: string | null;
      readonly reason: string | null;
    }
  | {
      readonly type: "run-ended";
      readonly run: string;
      readonly status: RunStatus;
      readonly reason: string | null;
      readonly completed: number;
      readonly total: number;
    };

export type OnEvent = (event: RunEvent) => void;
