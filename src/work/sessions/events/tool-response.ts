import { asRecord, asText, describe, own, textOf } from "../../../core/text/untrusted.ts";
import type { RawCall } from "./read-calls.ts";

/** No more than this of an answer is read. */
const LONGEST = 4 * 2 ** 20;

/**
 * Whether a call succeeded, according to the client; null if it does not say, or if the call still runs in the background.
 * One client never says how a command ended: there only its output can tell. Batches have only the text that the model
 * reads; but each call that failed had an event of its own before.
 */
export function succeeded(call: RawCall): boolean | null {
  const { error, response, isBatched } = call;
  if (error !== undefined) return false;
  if (backgroundId(call) !== undefined) return null;
  if (typeof response === "string") return isBatched ? !FAILURE.test(response) : succeededBy(response);
  const fields = asRecord(response);
  if (fields === undefined) return null;
  if (own(fields, "interrupted") === true || own(fields, "is_error") === true) return false;
  if (own(fields, "success") === false) return false;
  if (textOf(fields, "error") !== undefined || asRecord(own(fields, "error")) !== undefined) return false;
  const code = own(fields, "exit_code") ?? own(fields, "exitCode");
  if (typeof code === "number") return code === 0;
  return exitCodeIn(textOf(fields, "llmContent") ?? "") ?? true;
}

/** How the text of a call that failed begins. Further on it is what a program printed, which may say anything. */
const FAILURE = /^(Error: |Exit code [1-9])/;

/** A bare text: an error of the client, a line with the exit code, or nothing to go by. */
function succeededBy(text: string): boolean | null {
  const start = text.slice(0, 300);
  if (FAILURE.test(start)) return false;
  if (/^Success\b/.test(start)) return true;
  return exitCodeIn(text) ?? null;
}

/**
 * What a client says of a call that it did not run, or that it cancelled because another of the batch failed. Such a call
 * has no event but the batch that it was part of.
 */
const REFUSED =
  /^(<tool_use_error>|This command requires approval|Claude requested permissions to .{1,2000}, but you haven't granted it|The user doesn't want to (proceed|take this action)|The user rejected |The user has specified a rule which prevents you |Permission (to|for) .{1,2000} (has been|was) denied)/s;

/** Whether the client refused to run a call, so that nothing is known of it. */
export function isRefused(response: unknown): boolean {
  return typeof response === "string" && REFUSED.test(response.slice(0, 4000));
}

/** The client's name for a command that runs in the background. */
export function backgroundId({ response }: Pick<RawCall, "response">): string | undefined {
  if (typeof response !== "string") return textOf(response, "backgroundTaskId");
  return /^Command running in background with ID: ([\w-]{1,100})/.exec(response)?.[1];
}

/** Clients put it at the beginning or at the end, so only those are searched. */
function exitCodeIn(text: string): boolean | undefined {
  const ends = text.length > 4000 ? `${text.slice(0, 2000)}\n${text.slice(-2000)}` : text;
  const found = /^[ \t]{0,8}(?:Exit [Cc]ode|Process exited with code):? (?<code>\d+)/m.exec(ends);
  return found === null ? undefined : Number(found.groups?.["code"]) === 0;
}

/** What a call printed. */
export function outputOf({ error, response }: RawCall): string {
  if (error !== undefined) return error.slice(0, LONGEST);
  if (typeof response === "string") return response.slice(0, LONGEST).trimEnd();
  if (own(response, "isImage") === true) return "";
  const printed = ["stdout", "stderr", "output", "llmContent"].flatMap(
    (name) => asText(own(response, name)) ?? [],
  );
  if (printed.length > 0) return printed.join("\n").slice(0, LONGEST);
  return response === undefined || response === null || asRecord(response) !== undefined
    ? ""
    : describe(response, LONGEST);
}
