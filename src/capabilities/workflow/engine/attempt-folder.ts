import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { errorCode } from "../../../work/machine/read-bounded.ts";
import { refuseLinks } from "../../../core/store/private-files.ts";
import { parseStarted, type ProcessIdentity } from "./process-identity.ts";

/** The folder of one attempt. A step and its runner communicate through files, so that either may die. */
export interface AttemptFolder {
  readonly path: string;
  /** What the command printed, stdout and stderr together, to keep their order. */
  readonly output: string;
  /**
   * The process that creates it claims the attempt: the wrapper, to start it, or a later runner, to prevent that.
   * The wrapper adds the exit status once the command has ended.
   */
  readonly started: string;
  /** Where the command may leave its result, as JSON. */
  readonly result: string;
  /** The results of earlier steps. */
  readonly results: string;
  readonly handoff: string;
  readonly verifyLog: string;
}

/**
 * No step's name contains `@`, so the steps `build` and `build/1` never share a folder. Few folders and files, because
 * creating one may take as long as a durable commit. The way to the folder or a file is searched for links when it
 * is asked for.
 */
export function attemptFolder(runFolder: string, step: string, attempt: number): AttemptFolder {
  const folder = join(runFolder, "steps", ...`${step}@${attempt}`.split("/"));
  const checked = (name: string) => () => {
    const path = join(folder, name);
    refuseLinks(runFolder, path);
    return path;
  };
  const getters = Object.entries(NAMES).map(([file, name]) => [file, { get: checked(name) }]);
  return Object.defineProperties({}, Object.fromEntries(getters)) as AttemptFolder;
}

const NAMES: Readonly<Record<keyof AttemptFolder, string>> = {
  path: "",
  output: "output",
  started: "started",
  result: "result.json",
  results: "results.json",
  handoff: "handoff.md",
  verifyLog: "verify.log",
};

export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

const REVOKED = "revoked\n";

/** Whether an attempt was started, as its claim says. */
export type AttemptClaim =
  | { readonly kind: "never" }
  | { readonly kind: "started"; readonly identity: ProcessIdentity; readonly atMs: number }
  /** Claimed, but not signed: the machine went down at that moment, or the wrapper is about to sign it. */
  | { readonly kind: "unclear"; readonly atMs: number };

/**
 * Reads whether an attempt was started, and if not, makes sure that it never will be: a runner that froze
 * between its commit and the start of the command finds the claim taken when it wakes.
 */
export function revokeOrRead({ path, started }: AttemptFolder): AttemptClaim {
  makeFolder(path);
  try {
    writeFileSync(started, REVOKED, { mode: 0o600, flag: "wx" });
    return { kind: "never" };
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  return readClaim({ path, started });
}

export function readClaim({ path, started }: Pick<AttemptFolder, "path" | "started">): AttemptClaim {
  if (!existsSync(started)) return { kind: "never" };
  const text = readFileSync(started, "utf8");
  if (text === REVOKED) return { kind: "never" };
  const identity = parseStarted(text, path);
  const atMs = statSync(started).mtimeMs;
  return identity ? { kind: "started", identity, atMs } : { kind: "unclear", atMs };
}

/** The exit status that the wrapper wrote; undefined while there is none, or only part of one. */
export function readStatus({ started }: Pick<AttemptFolder, "started">): number | undefined {
  if (!existsSync(started)) return undefined;
  const [status = "", end] = readFileSync(started, "utf8").split("\n").slice(3);
  return end === "" && /^\d{1,3}$/.test(status) ? Number(status) : undefined;
}

export function writeAttemptFile(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
}

/** The last lines that a command printed, at most so many bytes. */
export function tailOf(path: string, maxBytes = 2000): string {
  if (!existsSync(path)) return "";
  const bytes = readFileSync(path);
  const text = bytes.subarray(Math.max(0, bytes.length - maxBytes)).toString("utf8");
  return bytes.length > maxBytes ? text.slice(text.indexOf("\n") + 1) : text;
}
