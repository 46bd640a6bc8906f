import { rawContent } from "../../../core/objects/object-format.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Project } from "../../../work/project/project.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import {
  compare,
  type FileChange,
  type FileSide,
  type MomentFiles,
  momentOf,
  readBlobs,
} from "../compare/compare.ts";
import { contentOf } from "../compare/content.ts";
import { findMoment, type KnownSnapshots, refuseFailed } from "../compare/find-moment.ts";
import { type DiffHunk, lineDiff } from "../compare/line-diff.ts";
import { filesOf } from "../snapshot/snapshots.ts";
import type { FilesTable } from "../verbs.ts";
import { whatOf } from "./files.ts";
import { lookFailed, type LookedNow, lookNow } from "./look-now.ts";

/** Larger files are only named. */
const LARGEST_BYTES = 2 * 1024 * 1024;

interface NamedMoment {
  readonly name: string;
  readonly moment: MomentFiles;
}

/** What changed in the files between two moments, line by line. */
export async function filesDiff(project: Project, input: InputOf<FilesTable["files diff"]>) {
  const now = await lookNow(project);
  const { a, b, path } = await sortArguments(project, now, input);
  const from = a ?? { name: "the last commit", moment: asCommitted(now) };
  const to = b ?? { name: "now", moment: momentOf(now.found, now.files) };
  const isMeant = (each: FileChange) =>
    path === undefined || each.path === path || each.path.startsWith(`${path}/`);
  const changes = (
    await compare(now.tree, from.moment, to.moment).catch((error: unknown) => {
      throw lookFailed(error);
    })
  ).filter(isMeant);
  const read = reader(now, {
    from: await readBlobs(
      now.tree,
      changes.map((each) => ({ path: each.path, side: each.from })),
    ),
    to: await readBlobs(
      now.tree,
      changes.map((each) => ({ path: each.path, side: each.to })),
    ),
  });
  const files = [];
  for (const change of changes) files.push(await fileDiff(change, read));
  return { from: from.name, to: to.name, files };
}

/** The files as the last commit has them: what differs now is listed with its committed version. */
function asCommitted({ found, files }: LookedNow): MomentFiles {
  const committed = [...files.values()].map(({ path, committed: version }) => ({
    path,
    ...(version && { now: version }),
    ...(version === undefined && { leftOut: { why: "special" as const, size: 0, stamp: "" } }),
    committed: version,
  }));
  return { head: found.head, files: new Map(committed.map((file) => [file.path, file])) };
}

/** `files diff src` means a path, where no moment is called that. */
async function sortArguments(
  project: Project,
  now: LookedNow,
  { a, b, path }: InputOf<FilesTable["files diff"]>,
) {
  const words = [a, b, path].filter((word) => word !== undefined);
  const moments: NamedMoment[] = [];
  for (const [at, word] of words.entries()) {
    const isLast = at === words.length - 1;
    const found =
      at < 2 ? await namedMoment(project, now.known, word, isLast && path === undefined) : undefined;
    if (found === undefined) return { a: moments[0], b: moments[1], path: word.replace(/\/+$/, "") };
    moments.push(found);
  }
  return { a: moments[0], b: moments[1], path: undefined };
}

async function namedMoment(
  project: Project,
  known: KnownSnapshots | undefined,
  word: string,
  mayBePath: boolean,
): Promise<NamedMoment | undefined> {
  if (known === undefined) {
    if (mayBePath) return undefined;
    throw new CheckpointError("not-found", "No files are known as of any moment yet.", {
      hint: "checkpoint now --files",
    });
  }
  try {
    const snapshot = refuseFailed(await findMoment(project, known, word));
    return {
      name: snapshot.info.checkpoint_id,
      moment: momentOf(snapshot, await filesOf(known.store, snapshot)),
    };
  } catch (error) {
    const isNoMoment = isCheckpointError(error, "usage") || isCheckpointError(error, "not-found");
    if (mayBePath && isNoMoment && !/^(?:@|ckpt-|\d{1,3}$)/.test(word)) return undefined;
    throw error;
  }
}

type ReadSide = (side: "from" | "to", change: FileChange) => Promise<Buffer | undefined>;

/** Content that is stored, that git has, or that was just read. */
function reader(
  { known, contents }: LookedNow,
  blobs: Readonly<Record<"from" | "to", ReadonlyMap<string, Buffer>>>,
): ReadSide {
  return async (which, change) => {
    const side = change[which];
    if (side.kind === "absent") return Buffer.alloc(0);
    if (side.kind === "unknown") return undefined;
    if (side.kind === "blob") return blobs[which].get(change.path);
    const fresh = side.version.pieces.map((id) => contents.get(id));
    if (fresh.every((bytes) => bytes !== undefined)) return Buffer.concat(fresh.map(rawContent));
    return known && contentOf(known.store, side.version);
  };
}

async function fileDiff(change: FileChange, read: ReadSide) {
  const { path, from, to } = change;
  const modes = [modeOf(from), modeOf(to)];
  const modeNote =
    modes[0] !== modes[1] && modes.every((mode) => mode !== undefined) ? `mode ${modes.join(" to ")}` : null;
  const none = { path, what: whatOf(from, to), added: null, removed: null, hunks: [] as DiffHunk[] };
  const [before, after] = [await read("from", change), await read("to", change)];
  const unknown = [from, to].find((side) => side.kind === "unknown");
  if (unknown?.kind === "unknown") return { ...none, note: unknown.why };
  if (before === undefined || after === undefined)
    return { ...none, note: "git does not have its content any more" };
  if (before.includes(0) || after.includes(0))
    return { ...none, note: `binary: ${before.length} to ${after.length} bytes` };
  if (before.length + after.length > LARGEST_BYTES) return { ...none, note: "too large to compare" };
  const hunks = lineDiff(before.toString("utf8"), after.toString("utf8"));
  const countOf = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0);
  return { ...none, added: countOf("+"), removed: countOf("-"), note: modeNote, hunks };
}

function modeOf(side: FileSide): string | undefined {
  if (side.kind === "stored") return side.version.mode;
  return side.kind === "blob" ? side.mode : undefined;
}

export type FilesDiff = Awaited<ReturnType<typeof filesDiff>>;
