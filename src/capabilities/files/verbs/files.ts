import type { Project } from "../../../work/project/project.ts";
import { committedSide, type FileSide, momentOf, sideOf } from "../compare/compare.ts";
import { LEFT_OUT } from "../snapshot/snapshot-file.ts";
import type { Snapshot } from "../snapshot/snapshots.ts";
import { authorsIn, momentsOf, PERSON, type SeenMoment } from "../whose/authors.ts";
import { nextTurns } from "../whose/turns.ts";
import { lookNow } from "./look-now.ts";
import { shownMoment } from "./shown-moment.ts";

/** More moments are not looked through: the file was changed before them. */
const MOST_MOMENTS = 300;

/** What changed since the last commit, and in whose turn. */
export async function files(project: Project, _input: object = {}) {
  const { tree, found, files: now, known, last } = await lookNow(project);
  const moments = known?.list.slice(0, MOST_MOMENTS) ?? [];
  async function* withNow(): AsyncGenerator<SeenMoment> {
    if (known) yield* momentsOf(known.store, moments.toReversed());
    const { by } = nextTurns(last?.sessions ?? {}, undefined, project.now());
    yield {
      by,
      turn: null,
      tools: [],
      why: "manual",
      failed: null,
      session: null,
      moment: momentOf(found, now),
    };
  }
  const authors = await authorsIn(tree, withNow());
  const oldest = moments.at(-1);
  const changes = found.files.map((file) => {
    const author = authors.get(file.path);
    return {
      path: file.path,
      what: whatOf(committedSide(file), sideOf(file)),
      by: author ? [...author.by] : seenFirst(oldest),
      turn: author?.last.turn ?? null,
      tools: [...(author?.last.tools ?? [])],
      not_stored: file.leftOut ? LEFT_OUT[file.leftOut.why] : null,
    };
  });
  const { head, branch, repositories, unnamed } = found;
  const paths = repositories.map(({ path }) => path);
  return { head, branch, last: last ? shownMoment(last) : null, changes, repositories: paths, unnamed };
}

/** What was there at the first look was nobody's turn. */
const seenFirst = (oldest: Snapshot | undefined) => (oldest ? [PERSON] : []);

export function whatOf(from: FileSide, to: FileSide): "added" | "changed" | "deleted" | "unknown" {
  if (from.kind === "absent") return "added";
  if (to.kind === "absent") return "deleted";
  return to.kind === "unknown" && from.kind === "unknown" ? "unknown" : "changed";
}
