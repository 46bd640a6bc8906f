import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { recordedPath } from "../../capture/files/recorded-path.ts";

import { readBounded } from "../../capture/files/read-bounded.ts";
import { isCheckpointError, type CheckpointError } from "../../errors.ts";
import type { SourceProblem } from "../definition/problems.ts";
import {
  MAX_PROGRESS_BYTES,
  PROGRESS_FOLDER,
  importProgress,
  trailOf,
  type ProgressContext,
} from "./note-progress.ts";
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

/** Reads all progress files, and commits what agents wrote into them by hand. */
export async function scanProgress(context: ProgressContext): Promise<ProgressScan> {
  return readFiles(context, (progress, path) =>
    importProgress(trailOf(context, progress), path, context.redactor),
  );
}

/** What agents have not finished, for `resume`. Malformed files are reported too: they may be unfinished. */
export async function incompleteProgress(location: ProgressLocation): Promise<ProgressScan> {
  const { found, problems } = await readFiles(location, async () => false);
  return { found: found.filter(({ is_complete }) => !is_complete), problems };
}

async function readFiles(
  location: ProgressLocation,
  take: (progress: AgentProgress, path: string) => Promise<boolean>,
): Promise<ProgressScan> {
  const folder = join(location.root, PROGRESS_FOLDER);
  const found: ProgressScan["found"][number][] = [];
  const problems: SourceProblem[] = [];
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith(".md") && !/^(?:\.|readme\.md$)/i.test(name))
    : [];
  for (const name of names.toSorted()) {
    const path = join(folder, name);
    const file = recordedPath(location.root, path);
    const { bytes, problem } = readBounded(path, MAX_PROGRESS_BYTES);
    if (bytes === undefined) {
      problems.push({
        file,
        path: "(root)",
        message: `It cannot be read: ${problem}.`,
        remedy: "Put a plain file of at most 1 MB in its place",
      });
      continue;
    }
    try {
      const progress = parseProgress(bytes.toString("utf8"), file);
      const isNew = await take(progress, path);
      found.push({ file, progress, isNew, is_complete: progress.status === "complete" });
    } catch (error) {
      if (!isCheckpointError(error, "usage")) throw error;
      problems.push(...problemsOf(error, file));
    }
  }
  return { found, problems };
}

function problemsOf(error: CheckpointError, file: string): readonly SourceProblem[] {
  const { problems } = error.details as { problems?: readonly SourceProblem[] };
  return problems ?? [{ file, path: "(root)", message: error.message, remedy: error.hint ?? "" }];
}
