import { isAbsolute } from "node:path";
import { type ClientName, CLIENTS } from "../../../work/clients/clients.ts";
import type { Environment } from "../../../work/machine/environment.ts";
import { findProjectRoot, isSameFolder } from "../../../work/machine/folders.ts";
import { claudeSession, claudeSessions } from "./claude-sessions.ts";
import { codexSession, codexSessions } from "./codex-sessions.ts";
import type { RecordedSession } from "./transcript-file.ts";

/** Lists the sessions in the folder of a client: those that may match, and perhaps others. */
type FindSessions = (folder: string, query: Omit<SessionQuery, "env">) => Promise<RecordedSession[]>;
type ReadSession = (path: string) => Promise<RecordedSession | undefined>;

/** The clients whose sessions can be imported. */
const FINDERS: Partial<Record<ClientName, { readonly all: FindSessions; readonly one: ReadSession }>> = {
  claude: { all: claudeSessions, one: (path) => claudeSession(path) },
  codex: { all: codexSessions, one: (path) => codexSession(path) },
};

interface SessionQuery {
  readonly env: Environment;
  /** Only sessions of this project. */
  readonly root?: string | undefined;
  /** Only sessions that were written to since then. */
  readonly since?: Date | undefined;
}

/** The sessions that a client recorded, the one that was used last at the end. */
export async function findSessions(
  client: ClientName,
  { env, root, since }: SessionQuery,
): Promise<RecordedSession[]> {
  const folder = CLIENTS[client].settings(env);
  const found = folder === undefined ? [] : await FINDERS[client]?.all(folder, { root, since });
  return (found ?? [])
    .filter(({ main }) => root === undefined || isOfProject(main.cwd, root))
    .filter(({ main }) => since === undefined || main.modifiedAt >= since)
    .toSorted((a, b) => a.main.modifiedAt.getTime() - b.main.modifiedAt.getTime());
}

/** One session, by its file. */
export async function sessionAt(client: ClientName, path: string): Promise<RecordedSession | undefined> {
  return FINDERS[client]?.one(path);
}

/** A worktree or a repository within the project is a project of its own. */
function isOfProject(cwd: string | null, root: string): boolean {
  return cwd !== null && isAbsolute(cwd) && isSameFolder(findProjectRoot(cwd), root);
}
