import { CheckpointError, EXIT_STATUS } from "../errors.ts";
import { visible } from "../text/visible.ts";
import type { JsonObject } from "../objects/json.ts";
import type { Output } from "./output.ts";
import { suggest } from "../text/suggest.ts";

/** Says what went wrong on stderr, in words or as JSON, and returns the exit status. */
export function reportError(error: unknown, output: Output, { isDebugging = false } = {}): number {
  const known = explainError(error);
  const status = EXIT_STATUS[known.code];
  const suggestion = suggestionFor(known);
  const { red, bold, dim } = output.messageStyle;
  const lines = [
    `${red(bold("error:"))} ${visible(known.message)}`,
    suggestion === undefined ? undefined : `Did you mean ${bold(visible(suggestion))}?`,
    known.hint === undefined ? undefined : `${dim("hint:")} ${visible(known.hint)}`,
    isDebugging ? dim(visible(stackOf(error))) : undefined,
  ];
  const document = {
    code: known.code,
    exit_status: status,
    message: known.message,
    hint: known.hint ?? null,
    suggestion: suggestion ?? null,
    details: plain(known.details),
  };
  output.error({ error: document }, lines.filter((line) => line !== undefined).join("\n"));
  return status;
}

/** Any error as one of ours: what the operating system refuses in words, everything else as a bug. */
export function explainError(error: unknown): CheckpointError {
  return isOurs(error) ? error : explain(error);
}

/**
 * Told by its name, not by its class: each command is a file of its own, which may bring its own copy of the class.
 */
function isOurs(error: unknown): error is CheckpointError {
  return error instanceof Error && error.name === "CheckpointError" && "code" in error && "details" in error;
}

function suggestionFor({ details }: CheckpointError): string | undefined {
  const { typed, known } = details;
  return typeof typed === "string" && Array.isArray(known) ? suggest(typed, known as string[]) : undefined;
}

/** Details are facts for programs; what JSON cannot say is left out. */
function plain(details: Readonly<Record<string, unknown>>): JsonObject {
  const { known: _known, ...facts } = details;
  return JSON.parse(JSON.stringify(facts)) as JsonObject;
}

/** What the operating system refuses is no bug of ours, and has words of its own. */
const WORDS: Readonly<Record<string, readonly [code: "failed" | "not-found", what: string, hint: string]>> = {
  EACCES: ["failed", "may not be used by you", "Check who owns it and its permissions: checkpoint doctor"],
  EPERM: ["failed", "may not be changed by you", "Check who owns it and its permissions: checkpoint doctor"],
  EROFS: ["failed", "is on a disk that cannot be written", "Work in a folder that can be written."],
  ENOSPC: ["failed", "cannot be written: the disk is full", "Free some disk space, then try again."],
  ENOENT: ["not-found", "does not exist", "Check the path."],
  ENOTDIR: ["not-found", "is not inside a folder", "Check the path."],
  EISDIR: ["failed", "is a folder, not a file", "Check the path."],
  EEXIST: ["failed", "is already there", "Choose another name."],
};

function explain(error: unknown): CheckpointError {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" && syscall === "write" && path === undefined) return outputIsFull(error);
  const words = typeof path === "string" ? WORDS[code ?? ""] : undefined;
  if (words !== undefined) {
    const [kind, what, hint] = words;
    return new CheckpointError(kind, `"${path}" ${what}.`, {
      hint,
      details: { path, errno: code },
      cause: error,
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new CheckpointError("failed", `Something unexpected happened: ${message}`, {
    hint: "This is a bug in Cairn. CHECKPOINT_DEBUG=1 shows where it happened.",
    cause: error,
  });
}

/** Only what goes to stdout and stderr is written without a path; what was to be saved is saved by then. */
function outputIsFull(cause: unknown): CheckpointError {
  return new CheckpointError("failed", "The output cannot be written: the disk is full.", {
    hint: "Free some disk space, then look again: checkpoint status",
    details: { errno: "ENOSPC" },
    cause,
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
