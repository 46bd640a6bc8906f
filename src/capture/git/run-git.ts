import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { delimiter, dirname, isAbsolute } from "node:path";
import type { Environment } from "../environment.ts";
import { errorCode } from "../files/read-bounded.ts";

export interface GitRun {
  /** The top folder of the working tree. */
  readonly top: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly timeoutMs: number;
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
  try {
    const child = spawn("git", [...SAFE_ARGS, ...run.args], {
      cwd: run.top,
      env: gitEnvironment(run),
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const collected = collectOutput(child.stdout);
    const reason = await exitOf(child, run);
    if (reason !== undefined) return { reason };
    const output = collected();
    if (output === undefined) return { reason: `git listed more than ${MAX_OUTPUT_BYTES} bytes` };
    return { records: output.toString("utf8").split("\0").slice(0, -1) };
  } catch (error) {
    return { reason: `git could not be started (${errorCode(error) ?? "unknown error"})` };
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
  // Not "exit": only then has all of the pipe been read.
  child.on("close", (code, signal) =>
    resolve(code === 0 ? undefined : `git ${args[0]} ended with ${signal ?? `status ${code}`}`),
  );
  const reason = await promise;
  clearTimeout(timer);
  return reason;
}

/** Collects what comes through the pipe; the function returned gives it, unless too much came. */
function collectOutput(pipe: Readable): () => Buffer | undefined {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  pipe.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= MAX_OUTPUT_BYTES) chunks.push(chunk);
  });
  return () => (sizeBytes <= MAX_OUTPUT_BYTES ? Buffer.concat(chunks) : undefined);
}
