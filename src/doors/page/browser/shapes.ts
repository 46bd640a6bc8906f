import type { ComponentType } from "preact";

import type { Answers } from "../verbs.ts";

export type { Run } from "../../../capabilities/workflow/run/run-state.ts";
export type { Answers };

/** Everything in it may come from an agent or a file, and is only ever shown as text. */
export type WorkState = Readonly<Record<string, unknown>>;

export type RunSummary = Answers["runs"][number];
export type Trail = Answers["trails"][number];
export type Moment = Answers["timeline"]["checkpoints"][number];

/** What the server says of itself. */
export interface About {
  readonly root: string;
  readonly isReadOnly: boolean;
  readonly isGoverned: boolean;
}

/** `about` is not known in the first moments: then nothing can be changed yet. */
export type View = ComponentType<{ query: URLSearchParams; about: About | undefined }>;
