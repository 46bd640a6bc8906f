import type { Environment } from "../capture/git-process.ts";
import { visible } from "../handoff/visible.ts";
import { CheckpointError, EXIT_STATUS } from "../errors.ts";
import type { Output, Streams } from "./output.ts";
import { styleFor } from "./style.ts";
import { suggest } from "./suggest.ts";

/** Says what went wrong on stderr, in words or as JSON, and returns the exit status. */
export function reportError(error: unknown, output: Output, world: { streams: Streams; env: Environment }): number {
  const known = asCheckpointError(error);
  const status = EXIT_STATUS[known.code];
  const suggestion = suggestionFor(known);
  const { streams, env } = world;
  if (output.json) {
    const messages = output.heldMessages();
    const document = {
      schema: "cairn/error@1",
      error: {
        code: known.code,
        exit_status: status,
        message: known.message,
        hint: known.hint ?? null,
        suggestion: suggestion ?? null,
        details: plainDetails(known.details),
      },
      ...(messages.length > 0 ? { messages } : {}),
    };
    streams.err(`${JSON.stringify(document)}\n`);
    return status;
  }
  const isColoured = !output.options.noColor && output.options.isErrColoured;
  const { red, bold, dim } = styleFor(isColoured);
  streams.err(`${red(bold("error:"))} ${visible(known.message)}\n`);
  if (suggestion !== undefined) streams.err(`Did you mean ${bold(suggestion)}?\n`);
  if (known.hint !== undefined) streams.err(`${dim("hint:")} ${visible(known.hint)}\n`);
  if (env["CHECKPOINT_DEBUG"]) streams.err(`${dim(visible(stackOf(error)))}\n`);
  return status;
}
