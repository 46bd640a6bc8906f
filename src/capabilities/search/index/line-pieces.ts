import { asList, isRecord, own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import type { SearchPiece } from "./piece.ts";

/** Bookkeeping, and what sub-agents say as they go, which their own files say again. Not even parsed: it is most of a transcript. */
const PASSED_OVER = /^\{[^{}]*"type":"(?:progress|file-history-snapshot|session_meta|turn_context)"/;

/** What stands in a user's line that no person typed. */
const NOT_TYPED =
  /^\s*(?:<(?:command-|local-command|bash-|system-reminder|task-notification|teammate-message|environment_context|user_instructions)|Caveat:|\[Request interrupted|This session is being continued)/;
const REFUSED = /^The user doesn't want to [^]*?the user said:\s*/;

/**
 * The words of a line of an archived transcript, whatever client wrote it. The formats are the clients' own: what is not
 * understood is still found, as a whole.
 */
export function piecesOfLine(line: unknown): SearchPiece[] {
  if (typeof line !== "string" || PASSED_OVER.test(line)) return [];
  const value = parseJson(line);
  if (!isRecord(value)) return line.trim() === "" ? [] : [{ kind: "transcript", text: line }];
  const type = textOf(value, "type") ?? "";
  const message = [own(value, "message"), own(value, "payload")].find(isRecord) ?? value;
  const isMeta = ["isMeta", "isCompactSummary", "isSidechain"].some((name) => value[name] === true);
  const role = isMeta ? "other" : (textOf(message, "role") ?? type);
  const content = own(message, "content");
  const parts = typeof content === "string" ? [{ text: content }] : asList(content);
  const said = parts.length > 0 ? parts : [message];
  const at = textOf(value, "timestamp");
  return said
    .flatMap((part) => piecesOfPart(part, role))
    .filter(({ text }) => text.trim() !== "")
    .map((piece) => ({ ...piece, at }));
}

function piecesOfPart(part: unknown, role: string): SearchPiece[] {
  const type = textOf(part, "type") ?? "";
  if (type === "tool_use" || type === "function_call" || type === "custom_tool_call") return ofCall(part);
  if (type === "tool_result" || type.endsWith("_call_output"))
    return ofResult(wordsIn(own(part, "content") ?? own(part, "output")));
  const text = textOf(part, "text", "thinking", "summary", "content") ?? "";
  if (type === "thinking" || type === "reasoning")
    return [{ kind: "transcript", text: text || wordsIn(part) }];
  if (role === "assistant") return [{ kind: "said", text }];
  const isTyped = ["user", "queue-operation"].includes(role) && !NOT_TYPED.test(text);
  return [isTyped ? { kind: "prompt", text } : { kind: "transcript", text: text || wordsIn(part) }];
}

function ofCall(part: unknown): SearchPiece[] {
  const given = own(part, "input") ?? own(part, "arguments");
  const input = typeof given === "string" ? (parseJson(given) ?? given) : given;
  const plan = textOf(input, "plan");
  if (plan !== undefined) return [{ kind: "said", text: plan }];
  const text = wordsIn(input);
  const file = textOf(input, "file_path", "notebook_path");
  if (file !== undefined) return [{ kind: "file", text, file }];
  return [
    { kind: "command", text: own(input, "command") === undefined ? `${textOf(part, "name")} ${text}` : text },
  ];
}

/** A person who refuses a call says why: a prompt like any other. */
function ofResult(text: string): SearchPiece[] {
  return REFUSED.test(text)
    ? [{ kind: "prompt", text: text.replace(REFUSED, "") }]
    : [{ kind: "output", text }];
}

/** Names of things, places and times, which are not looked for by words. */
const NO_WORDS = new Set(
  "at by id hash digest type status trigger signature uuid parentUuid leafUuid sessionId cwd version gitBranch slug userType timestamp subtype toolUseID level".split(
    " ",
  ),
);

/** All texts in a value, one a line; an argument list as it was typed. */
export function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 20) return "";
  const parts = Array.isArray(value)
    ? value
    : Object.entries(value).flatMap(([key, each]) =>
        NO_WORDS.has(key) && typeof each === "string" ? [] : [each],
      );
  const texts = parts.map((part) => wordsIn(part, depth + 1)).filter((text) => text !== "");
  return texts.join(depth > 0 && Array.isArray(value) ? " " : "\n");
}
