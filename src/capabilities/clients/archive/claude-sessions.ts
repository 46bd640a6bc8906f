import { basename, join } from "node:path";
import { textOf } from "../../../core/text/untrusted.ts";
import { namesIn, realPath } from "../../../work/machine/folders.ts";
import { projectFolderName } from "../../../work/sessions/transcripts/claude.ts";
import { fileAt, peek, type RecordedSession, type TranscriptFile } from "./transcript-file.ts";

/** The name of a project's folder is not exact, so what it holds must still be looked at. */
export async function claudeSessions(
  folder: string,
  { root }: { readonly root?: string | undefined },
): Promise<RecordedSession[]> {
  const projects = join(folder, "projects");
  const starts = root === undefined ? [""] : [root, realPath(root)].map(projectFolderName);
  const names = namesIn(projects).filter((name) => starts.some((start) => name.startsWith(start)));
  const found: RecordedSession[] = [];
  for (const name of names) found.push(...(await sessionsIn(join(projects, name))));
  return found;
}

async function sessionsIn(folder: string): Promise<RecordedSession[]> {
  const names = namesIn(folder).filter((name) => name.endsWith(".jsonl"));
  const apart: TranscriptFile[] = [];
  // Older versions put the files of sub-agents beside those of their sessions.
  for (const name of names.filter((each) => AGENT_FILE.test(each))) {
    const session = await peek(join(folder, name), (line) => textOf(line, "sessionId"));
    if (session !== undefined) apart.push(...(await agentFile(folder, name, session)));
  }
  const sessions: RecordedSession[] = [];
  for (const name of names.filter((each) => !AGENT_FILE.test(each))) {
    const session = await claudeSession(join(folder, name), apart);
    if (session !== undefined) sessions.push(session);
  }
  return sessions;
}

export async function claudeSession(
  path: string,
  apart: readonly TranscriptFile[] = [],
): Promise<RecordedSession | undefined> {
  const session_id = basename(path, ".jsonl");
  const main = await claudeFile(path, session_id, null);
  if (main === undefined) return undefined;
  const folder = join(path.slice(0, -".jsonl".length), "subagents");
  const agents = apart.filter((file) => file.session_id === session_id);
  for (const name of namesIn(folder)) agents.push(...(await agentFile(folder, name, session_id)));
  return { main, agents };
}

const AGENT_FILE = /^agent-(?<id>.+)\.jsonl$/;

async function agentFile(folder: string, name: string, session: string): Promise<TranscriptFile[]> {
  const agent = AGENT_FILE.exec(name)?.groups?.["id"];
  const file = agent === undefined ? undefined : await claudeFile(join(folder, name), session, agent);
  return file === undefined ? [] : [file];
}

async function claudeFile(path: string, session_id: string, agent_id: string | null) {
  const file = await fileAt(path);
  const cwd = file && ((await peek(path, (line) => textOf(line, "cwd"))) ?? null);
  return file && ({ ...file, client: "claude", session_id, agent_id, cwd: cwd! } as const);
}
