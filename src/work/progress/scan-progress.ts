import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { recordedPath } from "../machine/recorded-path.ts";

import { readBounded } from "../machine/read-bounded.ts";
import { isCheckpointError, type CheckpointError } from "../../core/errors.ts";
import type { SourceProblem } from "../yaml/problems.ts";
import { MAX_PROGRESS_BYTES } from "./import-progress.ts";
import { PROGRESS_FOLDER, progressTrailOf, settleProgress, type ProgressContext } from "./note-progress.ts";
import { parseProgress } from "./parse-progress.ts";
import type { AgentProgress } from "./progress.ts";

export interface ProgressScan {
  readonly found: readonly {
    readonly file: string;
    readonly progress: AgentProgress;
    readonly isNew: boolean;
    readonly is_complete: boolean;
  }[];
  /** Files that could not be read, each with line and remedy. */
  readonly problems: readonly SourceProblem[];
}

type ProgressLocation = Pick<ProgressContext, "root">;

/** Reads all progress files, commits what agents wrote into them by hand, and updates those that are behind. */
export async function scanProgress(context: ProgressContext): Promise<ProgressScan> {
  return readFiles(context, (progress, path) =>
    settleProgress(context, progressTrailOf(context, progress), path),
  );
}

/** What agents have not finished, for `resume`. Malformed files are reported too: they may be unfinished. */
export async function incompleteProgress(location: ProgressLocation): Promise<ProgressScan> {
  const { found, problems } = await readFiles(location, async (progress) => ({ progress, isNew: false }));
  return { found: found.filter(({ is_complete }) => !is_complete), problems };
}

/** How many files are read at a time: what is committed at the same time shares a sync. */
const AT_ONCE = 50;

type Take = (progress: AgentProgress, path: string) => ReturnType<typeof settleProgress>;

async function readFiles({ root }: ProgressLocation, take: Take): Promise<ProgressScan> {
  const folder = join(root, PROGRESS_FOLDER);
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".md") && !/^(?:\.|readme\.md$)/i.test(name))
    : [];
  const paths = names.toSorted().map((name) => join(folder, name));
  const scans: ProgressScan[] = [];
  // A file names its agent and feature, so no two of them are of one trail.
  for (let at = 0; at < paths.length; at += AT_ONCE)
    scans.push(
      ...(await Promise.all(paths.slice(at, at + AT_ONCE).map((path) => readOne(root, path, take)))),
    );
  return {
    found: scans.flatMap(({ found }) => found),
    problems: scans.flatMap(({ problems }) => problems),
  };
}

async function readOne(root: string, path: string, take: Take): Promise<ProgressScan> {
  const file = recordedPath(root, path);
  const { bytes, problem } = readBounded(path, MAX_PROGRESS_BYTES);
  if (bytes === undefined) {
    const message = `It cannot be read: ${problem}.`;
    const remedy = "Put a plain file of at most 1 MB in its place";
    return { found: [], problems: [{ file, path: "(root)", message, remedy }] };
  }
  try {
    const { progress, isNew } = await take(parseProgress(bytes.toString("utf8"), file), path);
    return { found: [{ file, progress, isNew, is_complete: progress.status === "complete" }], problems: [] };
  } catch (error) {
    if (!isCheckpointError(error, "usage")) throw error;
    return { found: [], problems: problemsOf(error, file) };
  }
}

function problemsOf(error: CheckpointError, file: string): readonly SourceProblem[] {
  const { problems } = error.details as { problems?: readonly SourceProblem[] };
  return problems ?? [{ file, path: "(root)", message: error.message, remedy: error.hint ?? "" }];
}
