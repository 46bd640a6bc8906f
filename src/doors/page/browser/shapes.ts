import type { ComponentType } from "preact";

import type { PAGE_VERBS as GovernanceVerbs } from "../../../capabilities/governance/page.ts";
import type { AnswersOf } from "../../../work/project/page-verb.ts";
import type { PAGE_VERBS } from "../verbs.ts";

export type { Run } from "../../../capabilities/workflow/run/run-state.ts";

/** What each verb answers. */
export type Answers = AnswersOf<typeof PAGE_VERBS> & AnswersOf<typeof GovernanceVerbs>;

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
