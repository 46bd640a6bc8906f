import type { ExecFileException } from "node:child_process";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../environment.ts";
import { MISSING, readBounded } from "../files/read-bounded.ts";
import type { GitLocation } from "./git-head.ts";

export interface GitCommand {
  /** The top folder of the working tree. */
  readonly top: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly timeoutMs: number;
  /** Settings that go before the repository's. */
  readonly settings?: ReadonlyMap<string, string>;
}

/** The NUL-separated records that git printed, or why there are none. */
export type GitOutput =
  | { readonly records: string[]; readonly reason?: never }
  | { readonly records?: never; readonly reason: string };

const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/**
 * Keeps a repository's own configuration from starting a program or waiting for a lock. A folder that only looks
 * like a bare repository is ignored, and file names are never patterns.
 */
const SAFE_ARGS = [
  "--no-optional-locks",
  "--literal-pathspecs",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "safe.bareRepository=explicit",
];

/** Runs one read-only git command. Never rejects: if git is missing, fails or hangs, the result says why. */
export async function runGit(command: GitCommand): Promise<GitOutput> {
  const { top: cwd, args, timeoutMs } = command;
  // Loaded here, because outside a repository it is not needed.
  const { execFile } = await import("node:child_process");
  try {
    const running = promisify(execFile)("git", [...SAFE_ARGS, ...args], {
      cwd,
      env: gitEnvironment(command),
      maxBuffer: MAX_OUTPUT_BYTES,
      signal: AbortSignal.timeout(timeoutMs),
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    running.child.stdin?.end();
    // A git that hangs in the kernel survives even SIGKILL. It only reads, and must not keep us alive.
    const { stdout } = await running.finally(() => running.child.unref());
    return { records: stdout.split("\0").slice(0, -1) };
  } catch (error) {
    return { reason: failureOf(error as ExecFileException, command) };
  }
}

function failureOf({ name, code, signal }: ExecFileException, { args, timeoutMs }: GitCommand): string {
  if (name === "AbortError") return `git ${args[0]} gave no answer within ${timeoutMs} ms`;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `git listed more than ${MAX_OUTPUT_BYTES} bytes`;
  if (signal) return `git ${args[0]} ended with ${signal}`;
  if (typeof code === "number") return `git ${args[0]} ended with status ${code}`;
  return `git could not be started (${code ?? "unknown error"})`;
}

/**
 * Drops everything that a surrounding git hook or the project could use to point git elsewhere. Forbids every protocol,
 * because in a partial clone even `git status` fetches, with programs that the repository's config names.
 */
function gitEnvironment({ env, top, settings = new Map() }: GitCommand): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^GIT_/i.test(name)) continue;
    // A relative entry would be a folder of the repository, with a program of its choice.
    clean[name] = /^path$/i.test(name) ? value.split(delimiter).filter(isAbsolute).join(delimiter) : value;
  }
  for (const [index, [key, value]] of [...settings].entries()) {
    clean[`GIT_CONFIG_KEY_${index}`] = key;
    clean[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return {
    ...clean,
    GIT_CONFIG_COUNT: String(settings.size),
    GIT_CEILING_DIRECTORIES: dirname(top),
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

const CONFIG_BYTES = 2 ** 20;

/** What `git config --get-regexp` exits with when nothing matches. */
const NOTHING_FOUND = "git config ended with status 1";

/**
 * Settings that blank the filters which the repository's own config names. To tell whether a file was changed, git runs
 * its filter, and a repository that was unpacked rather than cloned brings its config along. Filters in the user's own
 * config, such as Git LFS, stay.
 */
export async function blankForeignFilters(
  git: GitLocation,
  command: Pick<GitCommand, "env" | "timeoutMs">,
): Promise<{ readonly settings: ReadonlyMap<string, string>; readonly reason?: string }> {
  const settings = new Map<string, string>();
  // Asking git takes a few milliseconds, and most repositories have neither filters nor included files.
  if (!mayHaveFilters(git)) return { settings };
  const args = ["config", "--null", "--show-scope", "--get-regexp", "^filter\\."];
  const { records = [], reason } = await runGit({ ...command, top: git.top, args });
  if (reason !== undefined && reason !== NOTHING_FOUND) return { settings, reason };
  for (let at = 0; at + 1 < records.length; at += 2) {
    const scope = records[at] ?? "";
    const key = records[at + 1]?.split("\n", 1)[0] ?? "";
    if (scope !== "local" && scope !== "worktree") continue;
    const filter = key.slice(0, key.lastIndexOf("."));
    for (const program of ["clean", "smudge", "process"]) settings.set(`${filter}.${program}`, "");
    settings.set(`${filter}.required`, "false");
  }
  return { settings };
}

function mayHaveFilters({ gitDir, commonDir }: GitLocation): boolean {
  const configs = [join(commonDir, "config"), join(gitDir, "config.worktree")];
  return configs.some((path) => {
    const { bytes, problem } = readBounded(path, CONFIG_BYTES);
    if (bytes === undefined) return problem !== MISSING;
    return /filter|include/i.test(bytes.toString("latin1"));
  });
}
