import { type CheckpointError, EXIT_STATUS } from "../../core/errors.ts";
import { visible } from "../../core/text/visible.ts";
import { explainError } from "../../work/project/explain-error.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import type { Output } from "../../work/terminal/output.ts";
import { suggest } from "../../core/text/suggest.ts";

/** Says what went wrong on stderr, in words or as JSON, and returns the exit status. */
export function reportError(error: unknown, output: Output, { isDebugging = false } = {}): number {
  const known = explainError(error);
  const status = EXIT_STATUS[known.code];
  const suggestion = suggestionFor(known);
  // A command with the mistyped word in it would fail again.
  const isTypo = suggestion !== undefined && known.hint?.endsWith(` ${known.details["typed"] as string}`);
  const hint = isTypo ? undefined : known.hint;
  const { red, bold, dim } = output.messageStyle;
  const lines = [
    `${red(bold("error:"))} ${visible(known.message)}`,
    suggestion === undefined ? undefined : `Did you mean ${bold(visible(suggestion))}?`,
    hint === undefined ? undefined : `${dim("hint:")} ${visible(hint)}`,
    isDebugging ? dim(visible(stackOf(error))) : undefined,
  ];
  const document = {
    code: known.code,
    exit_status: status,
    message: known.message,
    hint: hint ?? null,
    suggestion: suggestion ?? null,
    details: plain(known.details),
  };
  output.error({ error: document }, lines.filter((line) => line !== undefined).join("\n"));
  return status;
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

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
