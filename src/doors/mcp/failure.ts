import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CheckpointError, ErrorCode } from "../../core/errors.ts";
import { visibleJson } from "../../core/text/visible.ts";

/** What a program needs to know about something that failed. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | null;
  /** Commands that only look, and that may help to find out more. */
  readonly next: readonly string[];
}

/** Commands that an agent may type without asking anybody. Nothing that decides, deletes or goes back. */
const SAFE =
  /^checkpoint (?:status|now|list|log|load|diff|summary|doctor|verify|config|help|init|sessions|task list|runs|artifacts|resume [\w.-]+ --dry-run)\b[^;&|<>`$\n]*$/;

const USUAL: Partial<Record<ErrorCode, string>> = {
  "not-found": "checkpoint list --all",
  corrupt: "checkpoint verify",
  conflict: "checkpoint status",
  failed: "checkpoint doctor",
};

export function failureOf({ code, message, hint }: CheckpointError): Failure {
  const hinted = (hint ?? "").split("\n").filter((line) => SAFE.test(line));
  const usual = USUAL[code];
  const next = [...new Set([...hinted, ...(usual === undefined ? [] : [usual])])];
  return { code, message, hint: hint ?? null, next };
}

/**
 * A failed call. The failure is JSON in the text and not in `structuredContent`, because clients hold that against
 * the schema of the tool's result even when there is none.
 */
export function failed(failure: Failure): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: visibleJson(JSON.stringify({ error: failure })) }],
  };
}
