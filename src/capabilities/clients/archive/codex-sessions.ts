import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { own, textOf } from "../../../core/text/untrusted.ts";
import { ROLLOUT_NAME } from "../../../work/sessions/transcripts/codex.ts";
import { fileAt, peek, type RecordedSession } from "./transcript-file.ts";

/** More files than this are not looked at, so that a link or a wrong folder cannot keep us forever. */
const MAX_FILES = 100_000;
/** Only files that were written to since then are opened. */
export async function codexSessions(
  folder: string,
  { since }: { readonly since?: Date | undefined },
): Promise<RecordedSession[]> {
  const found: RecordedSession[] = [];
  for (const kind of ["sessions", "archived_sessions"]) {
    const names = await readdir(join(folder, kind), { recursive: true, encoding: "utf8" }).catch(() => []);
    const rollouts = names.filter((name) => ROLLOUT_NAME.test(basename(name))).slice(0, MAX_FILES);
    for (const name of rollouts.toSorted()) {
      const session = await codexSession(join(folder, kind, name), since);
      if (session !== undefined) found.push(session);
    }
  }
  return found;
}

export async function codexSession(path: string, since = new Date(0)): Promise<RecordedSession | undefined> {
  const file = await fileAt(path);
  if (file === undefined || file.modifiedAt < since) return undefined;
  const meta = await peek(path, (line) =>
    textOf(line, "type") === "session_meta" ? own(line, "payload") : undefined,
  );
  const session_id = textOf(meta, "id") ?? ROLLOUT_NAME.exec(basename(path))?.groups?.["id"];
  if (session_id === undefined) return undefined;
  const cwd = textOf(meta, "cwd") ?? null;
  return { main: { ...file, client: "codex", session_id, agent_id: null, cwd }, agents: [] };
}
