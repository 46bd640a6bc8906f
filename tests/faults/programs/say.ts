import { writeSync } from "node:fs";
import { EXIT_STATUS, isCheckpointError, type ErrorCode } from "../../../src/core/errors.ts";

/** How an error looks from outside. One without a code is a bug: nobody named it. */
export interface Failure {
  readonly code: ErrorCode | null;
  readonly message: string;
}

/** Says a line of JSON. Synchronous, so that it is out before the next thing happens. */
export function say(message: object): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

export function failureOf(error: unknown): Failure {
  const code = isCheckpointError(error) ? error.code : null;
  return { code, message: error instanceof Error ? error.message : String(error) };
}

export function exitStatusOf({ code }: Failure): number {
  return code === null ? 99 : EXIT_STATUS[code];
}
