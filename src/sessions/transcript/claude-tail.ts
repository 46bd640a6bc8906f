import { asList, own, parseJson, textOf } from "../../text/untrusted.ts";
import { readTail } from "./read-tail.ts";

/** Enough for the last turns. */
const TAIL_BYTES = 512 * 1024;

/** The lines of Claude Code's transcript that hold messages of the session itself, oldest first. */
function messagesOf(path: string | undefined): unknown[] {
  return readTail(path, TAIL_BYTES)
    .filter((line) => /"type":"(?:assistant|user)"/.test(line))
    .map((line) => parseJson(line))
    .filter((line) => own(line, "isSidechain") !== true);
}

/** The model that answered last, and how many tokens the conversation had then. */
export interface ModelUse {
  readonly model?: string | undefined;
  readonly contextTokens?: number | undefined;
}

export function lastModelUse(path: string | undefined): ModelUse {
  const last = messagesOf(path).findLast((line) => textOf(own(line, "message"), "model") !== undefined);
  const message = own(last, "message");
  const usage = own(message, "usage");
  const counts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"]
    .map((name) => own(usage, name))
    .filter((count) => typeof count === "number" && Number.isSafeInteger(count) && count >= 0) as number[];
  return {
    model: textOf(message, "model")?.slice(0, 200),
    contextTokens: counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0),
  };
}

/** A call of a tool that was begun, and when. */
export interface CallInFlight {
  readonly tool: string;
  readonly input: unknown;
  readonly at: string | undefined;
}

/** The calls whose results are missing at the end of a transcript: they were running when the client was killed. */
export function callsInFlight(path: string | undefined): CallInFlight[] {
  const begun = new Map<string, CallInFlight>();
  for (const line of messagesOf(path)) {
    for (const part of asList(own(own(line, "message"), "content"))) {
      const [id, tool] = [textOf(part, "id"), textOf(part, "name")];
      if (textOf(part, "type") === "tool_use" && id !== undefined && tool !== undefined)
        begun.set(id, { tool, input: own(part, "input"), at: textOf(line, "timestamp") });
      begun.delete(textOf(part, "tool_use_id") ?? "");
    }
  }
  return [...begun.values()];
}
