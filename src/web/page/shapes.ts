import type { Answers } from "../verbs.ts";

export type { Run } from "../../workflow/run/run-state.ts";
export type { Answers };

/** Everything in it may come from an agent or a file, and is only ever shown as text. */
export type WorkState = Readonly<Record<string, unknown>>;

export type RunSummary = Answers["runs"][number];
export type Trail = Answers["trails"][number];
export type Moment = Answers["timeline"]["checkpoints"][number];
