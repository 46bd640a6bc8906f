import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import { delimiter, dirname, isAbsolute } from "node:path";
import type { Environment } from "../environment.ts";
import { errorCode } from "../files/read-bounded.ts";
import { openUnnamed, readUnnamed } from "../files/unnamed-file.ts";

export interface GitRun {
  /** The top folder of the working tree. */
  readonly top: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly timeoutMs: number;
  /** An existing folder of ours, for git's output: it is quicker than a pipe. */
  readonly scratch?: string | undefined;
}

/** The NUL-separated records that git printed, or why there are none. */
export type GitOutcome =
  | { readonly records: string[]; readonly reason?: never }
  | { readonly records?: never; readonly reason: string };

const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/**
 * Nothing that a repository's own configuration says may start a program or wait for a lock. A folder
 * that merely looks like a bare repository is not one, and file names are never patterns.
 */
const SAFE_ARGS = [
  "--no-optional-locks",
  "--literal-pathspecs",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "safe.bareRepository=explicit",
];

/** Runs one git command that only reads. Never rejects: without git, or when it hangs, there is a reason. */
export async function runGit(run: GitRun): Promise<GitOutcome> {
  // Not imported above: outside of a repository nobody should pay these three milliseconds.
  const { spawn } = await import("node:child_process");
  const file = run.scratch === undefined ? undefined : openUnnamed(run.scratch);
  try {
    const child = spawn("git", [...SAFE_ARGS, ...run.args], {
      cwd: run.top,
      env: gitEnvironment(run),
      stdio: ["ignore", file ?? "pipe", "ignore"],
      windowsHide: true,
    });
    const piped = collectOutput(child);
    const reason = await exitOf(child, run);
    if (reason !== undefined) return { reason };
    const output = file === undefined ? piped() : readUnnamed(file, MAX_OUTPUT_BYTES);
    if (output === undefined) return { reason: `git listed more than ${MAX_OUTPUT_BYTES} bytes` };
    return { records: output.toString("utf8").split("\0").slice(0, -1) };
  } catch (error) {
    return { reason: `git could not be started (${errorCode(error) ?? "unknown error"})` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Without what a surrounding git hook or the project could use to point git elsewhere. */
function gitEnvironment({ env, top }: GitRun): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || /^GIT_/i.test(name)) continue;
    // A relative entry would mean a folder of the repository, and a program of its choice.
    clean[name] = /^path$/i.test(name) ? value.split(delimiter).filter(isAbsolute).join(delimiter) : value;
  }
  return { ...clean, GIT_CEILING_DIRECTORIES: dirname(top), GIT_NO_LAZY_FETCH: "1" };
}

/** Resolves to why the process failed, or to undefined when it ended well. */
async function exitOf(child: ChildProcess, { args, timeoutMs }: GitRun): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => {
    // Nothing is lost: git was only reading. One that hangs in the kernel must not hold us either.
    child.kill("SIGKILL");
    child.stdout?.destroy();
    child.unref();
    resolve(`git ${args[0]} gave no answer within ${timeoutMs} ms`);
  }, timeoutMs);
  child.on("error", (error) => resolve(`git could not be started (${errorCode(error) ?? error.name})`));
  // With a pipe, "close" says that all of it was read; without one, "exit" comes sooner.
  child.on(child.stdout ? "close" : "exit", (code, signal) =>
    resolve(code === 0 ? undefined : `git ${args[0]} ended with ${signal ?? `status ${code}`}`),
  );
  const reason = await promise;
  clearTimeout(timer);
  return reason;
}

/** Collects what comes through the pipe, if there is one; the function returned gives it, unless too much came. */
function collectOutput(child: ChildProcess): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= MAX_OUTPUT_BYTES) chunks.push(chunk);
  });
  return () => (sizeBytes <= MAX_OUTPUT_BYTES ? Buffer.concat(chunks) : undefined);
}
