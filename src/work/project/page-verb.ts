import type * as z from "zod";
import type { Project } from "./project.ts";

/** What came of going on with a run: that its runner is at work, or why it stopped. */
export interface Resumed {
  readonly isRunning: boolean;
  readonly message: string;
  readonly hint: string | null;
}

/** What the page can do that is no verb, because it needs a process of its own. */
export interface PageProcesses {
  /** Goes on with a run; its runner outlives the page. */
  readonly resume: (run: string) => Promise<Resumed>;
}

/** A verb as the page calls it: its own schema checks the input, and nothing is decided here. */
export interface PageVerb<Result = unknown> {
  readonly call: (project: Project, input: unknown, processes: PageProcesses) => Promise<Result>;
  /** Whether it changes anything: then a page that only looks has none of it. */
  readonly writes: boolean;
}

const pageVerb =
  (writes: boolean) =>
  <Input, Result>(
    input: z.ZodType<Input>,
    run: (project: Project, input: Input, processes: PageProcesses) => Promise<Result>,
  ): PageVerb<Result> => ({
    call: async (project, given, processes) => run(project, input.parse(given), processes),
    writes,
  });

export const looks = pageVerb(false);
export const changes = pageVerb(true);

/** What each verb of a table answers. */
export type AnswersOf<Verbs extends Readonly<Record<string, PageVerb>>> = {
  readonly [Name in keyof Verbs]: Awaited<ReturnType<Verbs[Name]["call"]>>;
};
