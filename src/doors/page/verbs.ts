import { isCheckpointError } from "../../core/errors.ts";
import { prune } from "../../work/project/maintenance/prune.ts";
import type { Project } from "../../work/project/project.ts";
import { summary } from "../../work/project/reading/summary.ts";
import { RUN, TRAIL, flag, required, text } from "../../work/verbs/command-words.ts";
import { readInput } from "../../work/verbs/read-input.ts";
import { TABLES, verbNamed } from "../verbs.ts";
import { standing } from "./standing.ts";
import { story } from "./story.ts";

/** What came of going on with a run: that its runner is at work, or why it stopped. */
export interface Resumed {
  readonly isRunning: boolean;
  readonly message: string;
  readonly hint: string | null;
}

/** What the page can do that is no verb, because it needs a process of its own. */
export interface PageProcesses {
  /** Goes on with a run, or with a new one that repeats a step of it; its runner outlives the page. */
  readonly resume: (run: string, redo?: string) => Promise<Resumed>;
}

/** A command to look up and copy. */
export interface KnownCommand {
  readonly name: string;
  readonly about: string;
}

/** A verb as the page calls it: its entry checks the input, and nothing is decided here. */
interface PageVerb {
  readonly call: (project: Project, given: unknown, processes: PageProcesses) => Promise<unknown>;
  /** Whether it changes anything: then a page that only looks has none of it. */
  readonly writes: boolean;
}

type Verb = (project: Project, input: object) => Promise<unknown>;

/** What the page can do. The name is the last part of the address: `/api/verb/timeline`. */
export function pageVerb(name: string): PageVerb | undefined {
  if (Object.hasOwn(OWN, name)) return OWN[name as keyof typeof OWN];
  const { page, writes, run, ...entry } = verbNamed(name) ?? {};
  if (typeof page !== "object" || run === undefined) return undefined;
  return {
    writes: writes !== undefined,
    call: async (project, given) => {
      const input = readInput(entry, given);
      const verb = ((await run()) as Readonly<Record<string, Verb>>)[name] as Verb;
      return verb(project, { ...page.defaults, ...input });
    },
  };
}

const COMMANDS: readonly KnownCommand[] = TABLES.flatMap(({ entries }) =>
  Object.entries(entries).flatMap(([name, entry]) =>
    "about" in entry ? [{ name: `checkpoint ${name}`, about: entry.about }] : [],
  ),
);

const REDO = text("STEP", "A step to repeat, in a new run");
const SESSION = required("ID", "A session's id");

const OWN = {
  // Only what it would remove: the page removes nothing.
  prune: {
    writes: false,
    call: async (project, given) => {
      const input = readInput({ wire: { all: flag("In each trail") } }, given);
      return prune(project, { ...input, dryRun: true });
    },
  },
  commands: { writes: false, call: async () => COMMANDS },
  standing: { writes: false, call: async (project) => standing(project) },
  // In fewer tokens there is no briefing.
  leastBudget: {
    writes: false,
    call: async (project, given) => {
      const { trail } = readInput({ wire: TRAIL }, given);
      const least = { trail: trail as string | undefined, maxTokens: 1 };
      return summary(project, least).then(
        () => 1,
        (error: unknown) => {
          if (isCheckpointError(error, "budget")) return error.details["needed"];
          throw error;
        },
      );
    },
  },
  story: {
    writes: false,
    call: async (project, given) => {
      const { session } = readInput({ wire: { session: SESSION } }, given);
      return story(project, session as string);
    },
  },
  resume: {
    writes: true,
    call: async (_project, given, { resume }) => {
      const { run, redo } = readInput({ wire: { run: RUN, redo: REDO } }, given);
      return resume(run as string, redo as string | undefined);
    },
  },
} as const satisfies Record<string, PageVerb>;
