import { DatabaseSync } from "../../../core/store/sqlite/node-sqlite.ts";
import type { TranscriptPosition } from "../../state/activity.ts";
import { personalFolder } from "../../machine/folders.ts";
import { asText, own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { fileIn, type TranscriptFormat, type TranscriptPart } from "./transcript.ts";
import type { TranscriptWork } from "./transcript-work.ts";

/** OpenCode keeps all sessions in one database. */
export const OPENCODE: TranscriptFormat = {
  reader: (work) => (line, at) => read(work, line, at),
  find: ({ env }) => fileIn(personalFolder(env, "XDG_DATA_HOME", ".local", "share"), "opencode/opencode.db"),
  part: partsAfter,
};

const MOST_PARTS = 5000;
const PARTS = `SELECT p.rowid AS number, p.id AS id, p.message_id AS message, json_object('part', json(p.data),
  'message', json(m.data), 'timestamp', strftime('%FT%TZ', p.time_created / 1000, 'unixepoch')) AS line
  FROM part p JOIN message m ON m.id = p.message_id WHERE p.session_id = ? AND p.rowid > ? ORDER BY p.rowid DESC LIMIT ?`;

/** The parts of a session's messages after a position: the number and the id of the last part that was read. */
function partsAfter(
  path: string,
  sessionId: string,
  from: TranscriptPosition | undefined,
): TranscriptPart | undefined {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 500 });
  try {
    const last = database.prepare("SELECT id FROM part WHERE rowid = ?").get(from?.bytes ?? 0);
    const known = from !== undefined && textOf(last, "id") === from.digest ? from : undefined;
    const newest = database.prepare(PARTS).all(sessionId, known?.bytes ?? 0, MOST_PARTS);
    const all = newest.toReversed();
    // What is still being said is read the next time.
    const open = all.findIndex((row) => row["message"] === all.at(-1)?.["message"] && isBeingSaid(row));
    const rows = open < 0 ? all : all.slice(0, open);
    if (rows.length === 0) return undefined;
    const ends = rows.map((row) => ({ bytes: row["number"] as number, digest: row["id"] as string }));
    const end = (count = ends.length) => ends[count - 1] ?? known ?? { bytes: 0, digest: "" };
    return { lines: rows.map((row) => row["line"] as string), from: known, end };
  } finally {
    database.close();
  }
}

function isBeingSaid({ line }: Record<string, unknown>): boolean {
  const { part, message } = parseJson(line as string) as Record<"part" | "message", unknown>;
  const isSaid = textOf(message, "role") === "assistant" && textOf(part, "type") === "text";
  return isSaid && own(own(part, "time"), "end") === undefined;
}

function read(work: TranscriptWork, line: unknown, at: string): void {
  const [part, message] = [own(line, "part"), own(line, "message")];
  const kind = textOf(part, "type");
  // What the client adds by itself, and the summary of a compaction, nobody said.
  if (["synthetic", "ignored"].some((name) => own(part, name) === true)) return;
  if (kind === "tool") readCall(work, part, at);
  else if (kind !== "text" || own(message, "summary") === true) return;
  else if (textOf(message, "role") === "user") work.prompt(textOf(part, "text") ?? "", at);
  else work.said(textOf(part, "text"), at);
}

function readCall(work: TranscriptWork, part: unknown, at: string): void {
  const [id, state] = [textOf(part, "callID") ?? "", own(part, "state")];
  work.call(id, { tool: textOf(part, "tool") ?? "?", input: own(state, "input"), at });
  const exit = own(own(state, "metadata"), "exit");
  const response = { stdout: asText(own(state, "output")) ?? "", exit_code: exit };
  const status = textOf(state, "status");
  if (status === "completed") work.result(id, at, { response });
  else if (status === "error") work.result(id, at, { response, error: textOf(state, "error") ?? "" });
}
