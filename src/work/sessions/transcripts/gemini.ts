import { isAbsolute, join } from "node:path";
import { homeFolder, namesIn } from "../../machine/folders.ts";
import { readBounded } from "../../machine/read-bounded.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { withoutHookContext } from "../../clients/gemini.ts";
import { set } from "../reduce/set.ts";
import type { LineReader, TranscriptFormat, TranscriptSession } from "./transcript.ts";
import { textsOf, type TranscriptWork } from "./transcript-work.ts";

export const GEMINI: TranscriptFormat = {
  // Lines with messages; the others replace what was told before.
  isTelling: (line) => line.startsWith('{"id":'),
  reader,
  find: findTranscript,
  compactions: countCompactions,
};

const NOT_TYPED = /^\s*<(?:session_context|state_snapshot)>/;
const MOST_PROJECTS = 2000;

/** The file that Gemini CLI keeps for a session: its name has the beginning of the id, its first line all of it. */
function findTranscript({ env, sessionId }: TranscriptSession): string | undefined {
  const home = homeFolder({ ...env, HOME: env["GEMINI_CLI_HOME"] ?? env["HOME"] });
  if (home === undefined || sessionId.length < 8) return undefined;
  const projects = join(home, ".gemini/tmp");
  for (const project of namesIn(projects).slice(0, MOST_PROJECTS)) {
    const folder = join(projects, project, "chats");
    const named = namesIn(folder).filter((name) => name.endsWith(`-${sessionId.slice(0, 8)}.jsonl`));
    const isOfSession = (path: string) =>
      readBounded(path, 1000, "cut").bytes?.includes(`"sessionId":"${sessionId}"`);
    const found = named.map((name) => join(folder, name)).find(isOfSession);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A message with calls is written once more with their results. */
function reader(work: TranscriptWork): LineReader {
  const ended = new Set<string>();
  return (line, at) => {
    const [kind, text] = [textOf(line, "type"), textsOf(own(line, "content"))];
    const typed = kind === "user" ? withoutHookContext(text) : "";
    if (!NOT_TYPED.test(typed)) work.prompt(typed, at);
    if (kind !== "gemini") return;
    set(work.session, "model", textOf(line, "model")?.slice(0, 100));
    work.said(text, at);
    for (const call of asList(own(line, "toolCalls"))) {
      const [id, status] = [textOf(call, "id") ?? "", textOf(call, "status")];
      if (ended.has(id) || status === undefined || status === "cancelled") continue;
      ended.add(id);
      work.call(id, { tool: textOf(call, "name") ?? "?", input: own(call, "args"), at });
      work.result(id, at, resultOf(call, status === "error"));
    }
  };
}

function resultOf(call: unknown, isError: boolean): { response: unknown; error?: string } {
  const parts = asList(own(call, "result")).map((part) => own(own(part, "functionResponse"), "response"));
  const text = parts.map((each) => textOf(each, "output", "error") ?? "").join("\n");
  const code = /^Exit Code: (?<code>\d+)$/m.exec(text)?.groups?.["code"];
  const response = { stdout: text.replaceAll(AROUND, ""), exit_code: code && Number(code) };
  return { response, ...(isError ? { error: text } : {}) };
}

/** What stands around the output of a command. */
const AROUND =
  /^<\/?untrusted_context>\n?|^Output: (?:\(empty\)\n?)?|^Exit Code: \d+\n?|^Process Group PGID: \d+\n?/gm;

/** Enough for a long conversation; read once a prompt. */
const CONVERSATION_BYTES = 16 * 2 ** 20;
/** A line that replaces the whole conversation, with the start of its summary: enough to tell two summaries apart. */
const REPLACED = /^\{"\$set":\{"messages":.*?<state_snapshot>(?<start>(?:(?!<\/state_snapshot>).){0,500})/gm;

/**
 * How often Gemini CLI has compacted a conversation. It announces a compaction before every request to the model, but
 * compacts only when it needs to; then it rewrites the conversation, with a summary at the beginning.
 */
function countCompactions(path = ""): number {
  const end = isAbsolute(path) ? readBounded(path, CONVERSATION_BYTES, "end").bytes?.toString("utf8") : "";
  return new Set(Array.from(end?.matchAll(REPLACED) ?? [], ({ groups }) => groups?.["start"])).size;
}
