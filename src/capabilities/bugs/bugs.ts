import { CheckpointError } from "../../core/errors.ts";
import { notesOrNone } from "../../work/project/sentence.ts";
import type { Project } from "../../work/project/project.ts";
import type { InputOf } from "../../work/verbs/field.ts";
import type { BugBook } from "./book.ts";
import type { Bug, BUGS } from "./verbs.ts";
import { openBook, watchBugs } from "./watch.ts";

/** The distinct problems that were met. */
export interface BugList {
  /** Those seen last first; what no parser knew comes after all others. */
  readonly bugs: readonly Bug[];
  /** Those that are not listed: settled or resolved. */
  readonly closed: number;
  /** Mistakes of agents, the most frequent first. */
  readonly slips: BugBook["slips"];
}

const MOST_SLIPS_SHOWN = 10;

/** Lists the problems that failing checks, steps and commands told of, up to this moment. */
export async function bugs(
  project: Project,
  { all = false }: Pick<InputOf<(typeof BUGS)["bugs"]>, "all">,
): Promise<BugList> {
  return listOf(await watchBugs(project), all);
}

export function listOf(book: BugBook, all: boolean): BugList {
  const shown = book.bugs.filter(({ status }) => all || status === "open");
  return {
    bugs: shown.toSorted(
      (a, b) => Number(a.tool === null) - Number(b.tool === null) || (a.last_seen < b.last_seen ? 1 : -1),
    ),
    closed: book.bugs.length - shown.length,
    slips: book.slips.toSorted((a, b) => b.times - a.times).slice(0, MOST_SLIPS_SHOWN),
  };
}

/** Everything about one of them. */
export async function bugsShow(
  project: Project,
  { number }: InputOf<(typeof BUGS)["bugs show"]>,
): Promise<Bug> {
  return bugOf(await watchBugs(project), number);
}

/** A person says that a problem is dealt with. It opens again if it comes back. */
export async function bugsResolve(
  project: Project,
  { number, why }: InputOf<(typeof BUGS)["bugs resolve"]>,
): Promise<Bug> {
  await watchBugs(project);
  const { trail } = await openBook(await project.stores.open(project, "write", "keep.bugs"));
  const { actor, now } = project;
  const reason = notesOrNone(why ?? "");
  await trail.commit(
    (book) => {
      const bug = bugOf(book, number);
      const by = reason === undefined ? actor.signature : `${actor.signature}: ${reason}`;
      bug.status = "resolved";
      bug.settled = { at: now().toISOString(), by, change: null };
    },
    { trigger: "bugs" },
  );
  return bugOf((await trail.load()).state, number);
}

function bugOf(book: BugBook, number: string): Bug {
  const found = book.bugs.find((bug) => String(bug.number) === number.replace(/^#/, "") || bug.id === number);
  if (found !== undefined) return found;
  throw new CheckpointError("not-found", `There is no bug "${number}".`, {
    hint: "checkpoint bugs --all",
    details: { number },
  });
}
