import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { CheckpointError } from "../../core/errors.ts";
import { createRedactor, type Redactor } from "../../core/redaction/redactor.ts";
import { assertOwn, makePrivateFolder, refuseLinks } from "../../core/store/private-files.ts";
import { type FileLock, lockFile } from "../../core/store/sqlite/file-lock.ts";
import { homeFolder, isTooWide, keepProjectOutOfGit } from "../../work/machine/folders.ts";
import type { Project } from "../../work/project/project.ts";
import { secretMemory } from "../../work/project/settings/secret-memory.ts";
import { maySet, readSettings } from "../../work/project/settings/settings.ts";
import { count } from "../../work/state/words.ts";
import type { LookedTree } from "./look/look.ts";
import { endRewind, type FinishedRewind, finishRewind } from "./rewind/finish-rewind.ts";

/** Our folder for a project's files: our index, what the last look saw, the journal of a rewind. */
export function filesFolder({ root, folder }: Pick<Project, "root" | "folder">): string {
  const path = join(folder, "files");
  refuseLinks(root, path);
  return path;
}

/** How long another look is waited for, and how long git may take for this one. */
export interface TreeLimits {
  readonly patienceMs?: number;
  readonly lookMs?: number;
}

/** What is written there by its name: a link that a repository brought along would lead elsewhere. */
const OWN_FILES = ["lock", "index", "seen.json", "seen.json.tmp"];

const PATIENCE_MS = 20_000;
const LOOK_MS = 60_000;

/** Holds the files of a project: one look or rewind at a time, whatever processes there are. */
export async function withTree<Result>(
  project: Project,
  use: (tree: LookedTree, folder: string) => Promise<Result>,
  { patienceMs = PATIENCE_MS, lookMs = LOOK_MS }: TreeLimits = {},
): Promise<Result> {
  refuseWide(project);
  const folder = filesFolder(project);
  for (const each of [project.folder, folder]) assertOwn(each);
  keepProjectOutOfGit(project.root);
  makePrivateFolder(folder);
  for (const name of OWN_FILES) refuseLinks(folder, join(folder, name));
  const lock = lockTree(folder, patienceMs);
  try {
    const tree = { ...lookedTree(project, folder), timeoutMs: lookMs };
    const finished = finishRewind(project, folder);
    if (finished) {
      sayFinished(project, finished);
      await endRewind(project, { tree, folder }, finished);
    }
    return await use(tree, folder);
  } finally {
    lock.release();
  }
}

/** A rewind that was killed is finished by the next command. */
function sayFinished({ notices }: Project, finished: FinishedRewind): void {
  const { done, left, target } = finished;
  notices.warning(
    `A rewind to ${target} had been interrupted. It is finished now: ${count(done.length, "file")} as wanted, ${left.length} left alone. To take it back: checkpoint rewind --undo`,
  );
}

function lockTree(folder: string, patienceMs: number): FileLock {
  const path = join(folder, "lock");
  closeSync(openSync(path, "a", 0o600));
  const lock = lockFile(path, patienceMs);
  if (lock !== undefined) return lock;
  throw new CheckpointError("conflict", "Another process is looking at the project's files.", {
    hint: "Try again in a moment.",
    details: { path },
  });
}

/** The same without a lock, for who only looks. */
export function lookedTree(project: Project, folder: string): LookedTree {
  const { root, env, now } = project;
  let redactor: Promise<Redactor> | undefined;
  const make = async () => {
    const memory = secretMemory(project);
    // Hooks come often: a config is read only if it may say something about secrets.
    if (!maySet("redact", project, root)) return createRedactor({ memory });
    const { redact, redact_allow } = await readSettings(project, root);
    return createRedactor({ extraPatterns: redact, allow: redact_allow, memory });
  };
  return {
    root,
    env,
    now,
    index: join(folder, "index"),
    timeoutMs: LOOK_MS,
    redactor: () => (redactor ??= make()),
  };
}

/** A snapshot of $HOME would be one of all that a person has. */
function refuseWide({ root, env }: Pick<Project, "root" | "env">): void {
  if (!isTooWide(root, homeFolder(env))) return;
  throw new CheckpointError(
    "refused",
    `The files of "${root}" are not covered: it is not a project's folder.`,
    {
      hint: "Work in a folder of the project's own.",
      details: { path: root },
    },
  );
}
