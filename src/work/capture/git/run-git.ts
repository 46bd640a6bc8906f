import type { ExecFileException } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { type Environment, withoutRelativePath } from "../../machine/environment.ts";
import { findGitProgram } from "./find-git-program.ts";

export interface GitCommand {
  /** The top folder of the working tree. */
  readonly top: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly timeoutMs: number;
  /** Settings that go before the repository's. */
  readonly settings?: ReadonlyMap<string, string>;
  /**
   * An index of our own instead of the repository's, which git may refresh there: what it finds out about unchanged files
   * is kept for the next time, and nothing in `.git` is ever written.
   */
  readonly privateIndex?: string | undefined;
  /** A repository of our own for a folder that is in none. */
  readonly ownRepository?: string | undefined;
  /** For its stdin. */
  readonly input?: string | undefined;
  readonly maxOutputBytes?: number;
}

/** What git printed, and the NUL-terminated records in it; or why there is none, with what it printed to stderr. */
export type GitOutput =
  | { readonly records: string[]; readonly stdout?: string; readonly reason?: never; readonly stderr?: never }
  | GitFailure;

interface GitFailure {
  readonly records?: never;
  readonly stdout?: never;
  readonly bytes?: never;
  readonly reason: string;
  readonly stderr?: string;
}

const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/**
 * Keeps a repository's own configuration from starting a program or waiting for a lock. A folder that only looks
 * like a bare repository is ignored, and file names are never patterns.
 */
const SAFE_ARGS = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "submodule.recurse=false",
  "-c",
  "safe.bareRepository=explicit",
];

/** How git treats an index: that of the repository it leaves as it is, to one of our own it writes what it found out. */
const READ_INDEX = ["--no-optional-locks"];
const OWN_INDEX = [
  "-c",
  "core.splitIndex=false",
  "-c",
  "core.untrackedCache=false",
  "-c",
  "core.trustctime=true",
  "-c",
  "core.checkStat=default",
];

/**
 * Runs one git command: the only place that starts git. Never rejects: if git is missing, fails or hangs, the result says
 * why. A command that reads or writes files of the working tree also needs the settings of `blankForeignPrograms`.
 */
export async function runGit(command: GitCommand): Promise<GitOutput> {
  const { bytes, ...failure } = await runGitForBytes(command);
  if (bytes === undefined) return failure as GitFailure;
  const stdout = bytes.toString("utf8");
  return { records: stdout.split("\0").slice(0, -1), stdout };
}

/** The same, with what it printed as it is. */
export async function runGitForBytes(
  command: GitCommand,
): Promise<{ readonly bytes: Buffer; readonly reason?: never } | GitFailure> {
  const { top: cwd, args, timeoutMs, privateIndex, maxOutputBytes = MAX_OUTPUT_BYTES } = command;
  // Loaded here, because outside a repository it is not needed.
  const { execFile } = await import("node:child_process");
  const program = findGitProgram(command.env);
  if (program === undefined) return { reason: "git could not be started (ENOENT)" };
  try {
    const index = privateIndex === undefined ? READ_INDEX : OWN_INDEX;
    // It takes names from its stdin for names, and refuses to be told so.
    const names = args[0] === "check-ignore" ? [] : ["--literal-pathspecs"];
    const running = promisify(execFile)(program, [...SAFE_ARGS, ...names, ...index, ...args], {
      cwd,
      env: gitEnvironment(command),
      encoding: "buffer",
      maxBuffer: maxOutputBytes,
      signal: AbortSignal.timeout(timeoutMs),
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    // It may end before it has read all.
    running.child.stdin?.on("error", () => {});
    running.child.stdin?.end(command.input);
    // A git that hangs in the kernel survives even SIGKILL, and must not keep us alive.
    const { stdout } = await running.finally(() => running.child.unref());
    return { bytes: stdout };
  } catch (error) {
    // Bytes, whatever the types say.
    const { stderr = "" } = error as { readonly stderr?: unknown };
    return { reason: failureOf(error as ExecFileException, command), stderr: String(stderr) };
  }
}

function failureOf(
  { name, code, signal }: ExecFileException,
  { args, timeoutMs, maxOutputBytes = MAX_OUTPUT_BYTES }: GitCommand,
): string {
  if (name === "AbortError") return `git ${args[0]} gave no answer within ${timeoutMs} ms`;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `git listed more than ${maxOutputBytes} bytes`;
  if (signal) return `git ${args[0]} ended with ${signal}`;
  if (typeof code === "number") return `git ${args[0]} ended with status ${code}`;
  return `git could not be started (${code ?? "unknown error"})`;
}

/**
 * Drops everything that a surrounding git hook or the project could use to point git elsewhere: the working tree is the one
 * around the repository, whatever its `core.worktree` says. Forbids every protocol, because in a partial clone even
 * `git status` fetches, with programs that the repository's config names.
 */
function gitEnvironment({
  env,
  top,
  privateIndex,
  ownRepository,
  settings = new Map(),
}: GitCommand): Record<string, string> {
  const kept = Object.entries(withoutRelativePath(env)).filter(([name]) => !/^GIT_/i.test(name));
  const clean = Object.fromEntries(kept);
  for (const [index, [key, value]] of [...settings].entries()) {
    clean[`GIT_CONFIG_KEY_${index}`] = key;
    clean[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return {
    ...clean,
    GIT_CONFIG_COUNT: String(settings.size),
    GIT_CEILING_DIRECTORIES: dirname(top),
    // Not GIT_DIR too, unless it is ours: then git would not check whose repository it is.
    GIT_WORK_TREE: top,
    ...(ownRepository !== undefined && { GIT_DIR: ownRepository }),
    ...(privateIndex !== undefined && { GIT_INDEX_FILE: privateIndex }),
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}
