import type { Project } from "../../../work/project/project.ts";
import { authorsIn, momentsOf, PERSON, type SeenMoment } from "../moments/authors.ts";
import { shownMoment } from "../moments/known-moments.ts";
import { lookNow } from "../moments/look-now.ts";
import { committedSide, type FileSide, sideOf } from "../moments/sides.ts";
import { LEFT_OUT } from "../snapshot/snapshot-file.ts";
import { nextTurns } from "../snapshot/turns.ts";

/** More moments are not looked through: the file was changed before them. */
const MOST_MOMENTS = 300;

/** What changed since the last commit, and in whose turn. */
export async function files(project: Project, _input: object = {}) {
  const { tree, found, known } = await lookNow(project);
  const moments = known?.list.slice(0, MOST_MOMENTS) ?? [];
  const [last] = moments;
  async function* withNow(): AsyncGenerator<SeenMoment> {
    if (known) yield* momentsOf(known.store, moments.toReversed());
    const { by } = nextTurns(last?.sessions ?? {}, undefined, project.now());
    yield { by, turn: null, tools: [], why: "manual", failed: null, session: null, moment: found };
  }
  const authors = await authorsIn(tree, withNow());
  const changes = [...found.files.values()].map((file) => {
    const author = authors.get(file.path);
    return {
      path: file.path,
      what: whatOf(committedSide(file), sideOf(file)),
      // What was there at the first look was nobody's turn.
      by: author ? [...author.by] : last ? [PERSON] : [],
      turn: author?.last.turn ?? null,
      tools: [...(author?.last.tools ?? [])],
      not_stored: file.leftOut ? LEFT_OUT[file.leftOut.why] : null,
    };
  });
  const { head, branch, unnamed } = found;
  const repositories = found.repositories.map(({ path }) => path);
  return { head, branch, last: last ? shownMoment(last) : null, changes, repositories, unnamed };
}

export function whatOf(from: FileSide, to: FileSide): "added" | "changed" | "deleted" | "unknown" {
  if (from.kind === "absent") return "added";
  if (to.kind === "absent") return "deleted";
  return to.kind === "unknown" && from.kind === "unknown" ? "unknown" : "changed";
}
