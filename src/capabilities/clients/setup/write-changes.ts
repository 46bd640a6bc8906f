import {
  closeSync,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { backupOf, type PlannedChange, readIfThere } from "./planned-change.ts";

export function isChange({ before, after }: PlannedChange): boolean {
  return before !== after;
}

/**
 * Writes the changes, each file whole or not at all. If one fails, those before it are undone: a setup is complete or
 * absent. A file that changed since it was planned is a conflict.
 */
export function writeChanges(changes: readonly PlannedChange[]): void {
  const wanted = changes.filter(isChange);
  for (const { path, before } of wanted) {
    if (readIfThere(path) !== before)
      throw new CheckpointError("conflict", `"${path}" changed in the meantime, so nothing was written.`, {
        hint: "checkpoint init --dry-run",
        details: { path },
      });
  }
  const undo: (() => void)[] = [];
  for (const change of wanted) {
    const { path, before, after } = change;
    try {
      if (needsBackup(change)) {
        keepBackup(change);
        undo.push(() => rmSync(backupOf(path), { force: true }));
      }
      put(path, after);
      undo.push(() => put(path, before));
    } catch (error) {
      for (const takeBack of undo.toReversed()) takeBack();
      throw notWritten(path, error);
    }
  }
  for (const { path, dropsBackup } of wanted) if (dropsBackup) rmSync(backupOf(path), { force: true });
}

function notWritten(path: string, cause: unknown): CheckpointError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CheckpointError("failed", `"${path}" could not be written, so nothing was changed: ${reason}`, {
    hint: `Look at it: ls -l ${dirname(path)}`,
    details: { path },
    cause,
  });
}

const OURS = /checkpoint (hook|init)|cairn@cairn|mcp_servers\.cairn|"cairn": \{[^{}]*"checkpoint"/;

/** The backup is the file as it was before we first touched it, so one that already holds something of ours needs none. */
export function needsBackup({ path, before, after }: PlannedChange): boolean {
  if (before === undefined || after === undefined || before === after) return false;
  return !OURS.test(before) && !existsSync(backupOf(path));
}

function keepBackup({ path, before = "" }: PlannedChange): void {
  const owner = statSync(path);
  writeNewFile(backupOf(path), before, { mode: owner.mode & 0o777, owner });
}

function put(path: string, text: string | undefined): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Settings may be kept elsewhere, with a symbolic link here: it stays a link.
  const target = found === undefined ? path : realpathSync(path);
  if (found !== undefined && (found.mode & 0o222) === 0) throw new Error("it is read-only");
  if (text === undefined) return rmSync(target, { force: true });
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(`${target}.cairn-`);
  const unfinished = join(folder, "unfinished");
  try {
    const mode = (found?.mode ?? newModeOf(target)) & 0o777;
    writeNewFile(unfinished, text, { mode, owner: found ?? statSync(dirname(target)) });
    renameSync(unfinished, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Run by root, as in a container, a file must stay readable for the person whose client reads it. By its descriptor, since
 * that person could put a link in its place meanwhile.
 */
function writeNewFile(path: string, text: string, { mode, owner }: { mode: number; owner: Stats }): void {
  const file = openSync(path, "wx", mode);
  try {
    writeFileSync(file, text);
    if (fstatSync(file).uid !== owner.uid) fchownSync(file, owner.uid, owner.gid);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Settings are for their owner; AGENTS.md is for everybody who works on the project. */
const newModeOf = (path: string) => (basename(path) === "AGENTS.md" ? 0o666 : 0o600);
