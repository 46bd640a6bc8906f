import { readdirSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { personalFolder, realPath } from "../../capture/files/folders.ts";
import { statIfAny } from "../../capture/files/read-bounded.ts";
import { textOf } from "../../text/untrusted.ts";
import { peek } from "./read-lines.ts";
import type { RecordedSession, TranscriptFile } from "./transcript.ts";
import type { SessionPlace } from "./transcript-work.ts";

/** Claude Code's own rule: everything but letters and digits becomes a dash, and long names are cut. */
function folderName(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, "-").slice(0, 200);
}

const MOST_PROJECTS = 5000;

/** The file that Claude Code keeps for a session: below the folder that it was started in, or any other. */
export function findClaudeTranscript({ sessionId, env, folder }: SessionPlace): string | undefined {
  const config = personalFolder(env, "CLAUDE_CONFIG_DIR", ".claude");
  if (config === undefined || !/^[\w-]+$/.test(sessionId)) return undefined;
  const projects = join(config, "projects");
  const fileIn = (name: string) => join(projects, name, `${sessionId}.jsonl`);
  const likely = [folder, realPath(folder)].map((path) => fileIn(folderName(path)));
  const isThere = (path: string) => statIfAny(path)?.isFile() === true;
  return likely.find(isThere) ?? namesBelow(projects).map(fileIn).find(isThere);
}

function namesBelow(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, MOST_PROJECTS);
  } catch {
    return [];
  }
}

/**
 * The sessions that Claude Code recorded below its configuration folder. With a project's root (under all its names), only folders that
 * can be of that project are opened: the name of such a folder is not exact, so what it holds must still be looked at.
 */
export async function findClaudeSessions(
  config: string,
  roots: readonly string[] | undefined,
): Promise<RecordedSession[]> {
  const projects = join(config, "projects");
  const names = (await namesIn(projects, "isDirectory")).filter(
    (name) => roots === undefined || roots.some((root) => name.startsWith(folderName(root))),
  );
  const found: RecordedSession[] = [];
  for (const name of names) found.push(...(await sessionsIn(join(projects, name))));
  return found;
}

async function sessionsIn(folder: string): Promise<RecordedSession[]> {
  const names = (await namesIn(folder, "isFile")).filter((name) => name.endsWith(".jsonl"));
  const apart = new Map<string, TranscriptFile[]>();
  // Older versions put the files of sub-agents beside those of their sessions.
  for (const name of names.filter((each) => each.startsWith("agent-"))) {
    const path = join(folder, name);
    const session = await peek(path, (line) => textOf(line, "sessionId"));
    if (session === undefined) continue;
    const file = await fileAt(path, session, name.slice("agent-".length, -".jsonl".length));
    if (file !== undefined) apart.set(session, [...(apart.get(session) ?? []), file]);
  }
  const sessions: RecordedSession[] = [];
  for (const name of names.filter((each) => !each.startsWith("agent-"))) {
    const session = await claudeSession(join(folder, name), apart);
    if (session !== undefined) sessions.push(session);
  }
  return sessions;
}

/** One session by its file, with the files of its sub-agents. */
export async function claudeSession(
  path: string,
  apart: ReadonlyMap<string, readonly TranscriptFile[]> = new Map(),
): Promise<RecordedSession | undefined> {
  const id = basename(path, ".jsonl");
  const main = await fileAt(path, id, null);
  if (main === undefined) return undefined;
  const folder = join(path.slice(0, -".jsonl".length), "subagents");
  const agents: TranscriptFile[] = [...(apart.get(id) ?? [])];
  for (const name of await namesIn(folder, "isFile")) {
    const agent = /^agent-(?<agent>.+)\.jsonl$/.exec(name)?.groups?.["agent"];
    const file = agent === undefined ? undefined : await fileAt(join(folder, name), id, agent);
    if (file !== undefined) agents.push(file);
  }
  return { main, agents };
}

async function fileAt(
  path: string,
  session_id: string,
  agent_id: string | null,
): Promise<TranscriptFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const cwd = (await peek(path, (line) => textOf(line, "cwd"))) ?? null;
  return {
    client: "claude",
    session_id,
    agent_id,
    path,
    cwd,
    modifiedAt: found.mtime,
    sizeBytes: found.size,
  };
}

/** The names of the files, or the folders, in a folder that may not exist. */
async function namesIn(folder: string, kind: "isFile" | "isDirectory"): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry[kind]())
    .map(({ name }) => name)
    .toSorted();
}
