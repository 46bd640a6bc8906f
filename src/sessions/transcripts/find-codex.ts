import { readdirSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { personalFolder } from "../../capture/files/folders.ts";
import { own, textOf } from "../../text/untrusted.ts";
import { peek } from "./read-lines.ts";
import type { RecordedSession } from "./transcript.ts";
import type { SessionPlace } from "./transcript-work.ts";

const FILE_NAME = /^rollout-.*?(?<id>[0-9a-f]{8}-[0-9a-f-]{27})\.jsonl(?:\.zst)?$/i;

/** More files than this are not looked at, so that a link or a wrong folder cannot keep us forever. */
const MAX_FILES = 100_000;

/** Sessions of the last months; an older one is found by an import. */
const MOST_DAYS = 90;

/** The rollout that Codex keeps for a session, below the day that it was started. */
export function findCodexTranscript({ sessionId, env }: SessionPlace): string | undefined {
  const home = personalFolder(env, "CODEX_HOME", ".codex");
  if (home === undefined || !/^[\w-]+$/.test(sessionId)) return undefined;
  const newestIn = (folder: string) =>
    namesIn(folder)
      .toReversed()
      .map((name) => join(folder, name));
  const days = newestIn(join(home, "sessions")).flatMap(newestIn).flatMap(newestIn).slice(0, MOST_DAYS);
  for (const day of days) {
    const name = namesIn(day).find((each) => FILE_NAME.test(each) && each.endsWith(`${sessionId}.jsonl`));
    if (name !== undefined) return join(day, name);
  }
  return undefined;
}

/** Sorted; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/**
 * The sessions that Codex recorded below its home, each in a file of its own; sub-agents are sessions that name a parent.
 * Only files that were written to since then are opened.
 */
export async function findCodexSessions(home: string, since = new Date(0)): Promise<RecordedSession[]> {
  const found: RecordedSession[] = [];
  for (const folder of ["sessions", "archived_sessions"]) {
    for (const path of await rolloutsIn(join(home, folder))) {
      const session = await codexSession(path, since);
      if (session !== undefined) found.push(session);
    }
  }
  return found;
}

async function rolloutsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, encoding: "utf8" }).catch(() => []);
  return names
    .filter((name) => FILE_NAME.test(basename(name)))
    .slice(0, MAX_FILES)
    .toSorted()
    .map((name) => join(folder, name));
}

export async function codexSession(path: string, since = new Date(0)): Promise<RecordedSession | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || found.mtime < since) return undefined;
  const meta = await peek(path, (line) =>
    textOf(line, "type") === "session_meta" ? own(line, "payload") : undefined,
  );
  const named = FILE_NAME.exec(basename(path))?.groups?.["id"];
  const session_id = textOf(meta, "id") ?? named;
  if (session_id === undefined) return undefined;
  const cwd = textOf(meta, "cwd") ?? null;
  const main = { client: "codex", session_id, agent_id: null, path, cwd } as const;
  return { main: { ...main, modifiedAt: found.mtime, sizeBytes: found.size }, agents: [] };
}
