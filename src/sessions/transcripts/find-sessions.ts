import { isAbsolute } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { findProjectRoot, isSameFolder, personalFolder, realPath } from "../../capture/files/folders.ts";
import { claudeSession, findClaudeSessions } from "./find-claude.ts";
import { codexSession, findCodexSessions } from "./find-codex.ts";
import type { RecordedSession, TranscriptClient } from "./transcript.ts";

export interface SessionQuery {
  readonly env: Environment;
  /** Only sessions of this project. */
  readonly root?: string | undefined;
  /** Only sessions that were written to since then. */
  readonly since?: Date | undefined;
}

/** Where a client keeps its transcripts; undefined when nothing says where the user's home is. */
export function clientFolder(client: TranscriptClient, env: Environment): string | undefined {
  return client === "claude"
    ? personalFolder(env, "CLAUDE_CONFIG_DIR", ".claude")
    : personalFolder(env, "CODEX_HOME", ".codex");
}

/** The sessions that a client recorded, the one that was used last at the end. */
export async function findSessions(
  client: TranscriptClient,
  { env, root, since }: SessionQuery,
): Promise<RecordedSession[]> {
  const folder = clientFolder(client, env);
  if (folder === undefined) return [];
  const found =
    client === "claude"
      ? await findClaudeSessions(folder, root === undefined ? undefined : [root, realPath(root)])
      : await findCodexSessions(folder, since);
  return found
    .filter(({ main }) => root === undefined || isOfProject(main.cwd, root))
    .filter(({ main }) => since === undefined || main.modifiedAt >= since)
    .toSorted((a, b) => a.main.modifiedAt.getTime() - b.main.modifiedAt.getTime());
}

export async function sessionOfFile(
  client: TranscriptClient,
  path: string,
): Promise<RecordedSession | undefined> {
  return client === "claude" ? claudeSession(path) : codexSession(path);
}

/** A worktree or a repository within the project is a project of its own. */
function isOfProject(cwd: string | null, root: string): boolean {
  if (cwd === null || !isAbsolute(cwd)) return false;
  return isSameFolder(findProjectRoot(cwd), root);
}
