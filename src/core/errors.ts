/** What went wrong, as a word. Each has one exit status, so that scripts can tell them apart. */
export type ErrorCode =
  | "failed"
  | "usage"
  | "not-found"
  | "refused"
  | "corrupt"
  | "conflict"
  | "budget"
  | "missing-dependency"
  | "interrupted";

/**
 * The exit status of the command for each code: part of the public contract.
 *
 * @example
 * process.exitCode = isCheckpointError(error) ? EXIT_STATUS[error.code] : 1;
 */
export const EXIT_STATUS: Readonly<Record<ErrorCode, number>> = {
  failed: 1,
  usage: 2,
  "not-found": 3,
  refused: 4,
  corrupt: 5,
  conflict: 6,
  budget: 7,
  "missing-dependency": 8,
  interrupted: 130,
};

export interface ErrorExtras {
  /** A safe next step: a command to type or a sentence. Never something destructive. */
  readonly hint?: string | undefined;
  /** Facts for programs. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * The one error this library throws on purpose. Anything else that escapes is a bug.
 *
 * @example
 * try { await trail.load("ckpt-20260123-120000-abc12345"); }
 * catch (error) { if (isCheckpointError(error, "not-found")) startFresh(); else throw error; }
 */
export class CheckpointError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = "CheckpointError";
    this.code = code;
    this.hint = extras.hint;
    this.details = extras.details ?? {};
  }
}

/**
 * Whether this is an error of ours, and, if `code` is given, of that kind. Told by its name and a known code, never by
 * its class: a bundle, or a second installation, brings a copy of the class with it.
 *
 * @example
 * if (isCheckpointError(error, "conflict")) await again();
 */
export function isCheckpointError(error: unknown, code?: ErrorCode): error is CheckpointError {
  if (typeof error !== "object" || error === null) return false;
  const { name, code: found } = error as Partial<CheckpointError>;
  if (name !== "CheckpointError" || found === undefined || !Object.hasOwn(EXIT_STATUS, found)) return false;
  return code === undefined || code === found;
}

/**
 * A `catch` handler that returns `answer` for errors with this code and rethrows all others.
 *
 * @example
 * const run = await readRun(context, id).catch(insteadOf("not-found", undefined));
 */
export function insteadOf<Answer>(code: ErrorCode, answer: Answer) {
  return (error: unknown): Answer => {
    if (isCheckpointError(error, code)) return answer;
    throw error;
  };
}

/**
 * What to do when an optional package cannot be imported.
 *
 * @example
 * const pg = await import("pg").catch(packageMissing("A PostgreSQL store needs the package pg.", "pg"));
 */
export function packageMissing(message: string, toInstall: string) {
  return (cause: unknown): never => {
    throw new CheckpointError("missing-dependency", message, { hint: `npm install ${toInstall}`, cause });
  };
}

/** What an error says; anything may be thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
