import type { ComponentType } from "preact";

import type { GOVERNANCE } from "../../../capabilities/governance/verbs.ts";
import type { RUNS } from "../../../capabilities/workflow/run-verbs.ts";
import type { SEARCH } from "../../../capabilities/search/verbs.ts";
import type { WORKFLOWS } from "../../../capabilities/workflow/verbs.ts";
import type { HISTORY } from "../../../work/project/history/verbs.ts";
import type { KEEPING } from "../../../work/project/maintenance/verbs.ts";
import type { SESSIONS } from "../../../work/project/reading/session-verbs.ts";
import type { READING } from "../../../work/project/reading/verbs.ts";
import type { CORRECTIONS } from "../../../work/project/work/correction-verbs.ts";
import type * as library from "../../library/project.ts";
import type { standing } from "../standing.ts";
import type { story } from "../story.ts";
import type { KnownCommand, Resumed } from "../verbs.ts";

export type { Run } from "../../../capabilities/workflow/run/run-state.ts";

/** The verbs that their entries give to the page, by their names in the library. */
type PageNames<Entries> = {
  [Key in keyof Entries]: Entries[Key] extends { readonly page: object }
    ? Entries[Key] extends { readonly verb: infer Name }
      ? Name
      : Key
    : never;
}[keyof Entries];
type PageName =
  | PageNames<typeof READING>
  | PageNames<typeof SESSIONS>
  | PageNames<typeof CORRECTIONS>
  | PageNames<typeof HISTORY>
  | PageNames<typeof KEEPING>
  | PageNames<typeof WORKFLOWS>
  | PageNames<typeof RUNS>
  | PageNames<typeof GOVERNANCE>
  | PageNames<typeof SEARCH>
  | "prune";

/** What each verb answers. */
export type Answers = {
  readonly [Name in PageName & keyof typeof library]: Awaited<ReturnType<(typeof library)[Name]>>;
} & {
  readonly resume: Resumed;
  readonly standing: Awaited<ReturnType<typeof standing>>;
  readonly story: Awaited<ReturnType<typeof story>>;
  readonly leastBudget: number;
  readonly commands: readonly KnownCommand[];
};

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
