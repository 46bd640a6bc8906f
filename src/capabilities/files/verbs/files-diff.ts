import type { Project } from "../../../work/project/project.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import { lookFailed } from "../look/look-again.ts";
import { momentAt } from "../moments/authors.ts";
import { compare, type FileChange, type MomentFiles } from "../moments/compare.ts";
import { findMoment, noMoment } from "../moments/known-moments.ts";
import { lineDiff } from "../moments/line-diff.ts";
import { type LookedNow, lookNow } from "../moments/look-now.ts";
import { type FileSide, readSides } from "../moments/sides.ts";
import { isBelow } from "../tree/tree.ts";
import type { FilesTable } from "../verbs.ts";
import { whatOf } from "./files.ts";

/** Larger files are only named, and so are those behind so much content. */
const [LARGEST_BYTES, MOST_BYTES] = [2 * 1024 * 1024, 16 * 1024 * 1024];

interface NamedMoment {
  readonly name: string;
  readonly moment: MomentFiles;
}

/** What changed in the files between two moments, line by line. */
export async function filesDiff(project: Project, input: InputOf<FilesTable["files diff"]>) {
  const now = await lookNow(project);
  const { tree, found } = now;
  const { a, b, path } = input;
  const from = a === undefined ? asCommitted(now) : await momentNamed(now, a);
  const to = b === undefined ? { name: "now", moment: found } : await momentNamed(now, b);
  const changes = await compare(tree, from.moment, to.moment).catch((error: unknown) => {
    throw lookFailed(error);
  });
  const files = [];
  let bytes = 0;
  for (const change of changes) {
    if (path !== undefined && !isBelow(change.path, [path])) continue;
    const left = MOST_BYTES - bytes;
    const { size, ...file } = await fileDiff(now, change, Math.min(left, LARGEST_BYTES));
    bytes += size;
    files.push(file);
  }
  return { from: from.name, to: to.name, files };
}

export type FilesDiff = Awaited<ReturnType<typeof filesDiff>>;

/** The files as the last commit has them: what differs now is listed with its committed version. */
function asCommitted({ found: { head, files } }: LookedNow): NamedMoment {
  const committed = [...files.values()].map(({ path, committed: version }) => ({
    path,
    ...(version && { now: version }),
    ...(version === undefined && { leftOut: { why: "special" as const, size: 0, stamp: "" } }),
    committed: version,
  }));
  const moment = { head, files: new Map(committed.map((file) => [file.path, file])) };
  return { name: "the last commit", moment };
}

async function momentNamed({ known }: LookedNow, id: string): Promise<NamedMoment> {
  if (known === undefined) throw noMoment("No files are known as of any moment yet");
  const snapshot = await findMoment(known, id);
  return { name: snapshot.info.checkpoint_id, moment: await momentAt(known.store, snapshot) };
}

async function fileDiff({ tree, read }: LookedNow, { path, from, to }: FileChange, mostBytes: number) {
  const file = { path, what: whatOf(from, to) };
  const told = (note: string) => ({ ...file, added: null, removed: null, note, hunks: [], size: 0 });
  for (const side of [from, to]) if (side.kind === "unknown") return told(side.why);
  const contents = await readSides(
    tree,
    [from, to].map((side) => ({ path, side })),
    read,
  );
  const [before, after] = [contents.get(from), contents.get(to)];
  if (before === undefined || after === undefined) return told("git does not have its content any more");
  if (before.includes(0) || after.includes(0))
    return told(`binary: ${before.length} to ${after.length} bytes`);
  if (before.length + after.length > mostBytes) return told("too large to compare");
  const hunks = lineDiff(before.toString("utf8"), after.toString("utf8"));
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const [added, removed] = ["+", "-"].map((sign) => lines.filter((line) => line.startsWith(sign)).length);
  const note = modeNote(from, to);
  return { ...file, added, removed, note, hunks, size: before.length + after.length };
}

function modeNote(...sides: FileSide[]): string | null {
  const [from, to] = sides.map((side) =>
    side.kind === "stored" ? side.version.mode : side.kind === "blob" ? side.mode : undefined,
  );
  return from && to && from !== to ? `mode ${from} to ${to}` : null;
}
