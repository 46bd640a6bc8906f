import { isAbsolute } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { findProjectRoot, isSameFolder } from "../../machine/folders.ts";
import type { ClientName } from "../../clients/clients.ts";
import { CLAUDE } from "./claude.ts";
import { CODEX } from "./codex.ts";
import { COPILOT } from "./copilot.ts";
import { GEMINI } from "./gemini.ts";
import { OPENCODE } from "./opencode.ts";
import type { RecordedSession, TranscriptFormat } from "./transcript.ts";

/** The clients whose transcripts can be read. */
export const TRANSCRIPTS: Readonly<Partial<Record<ClientName, TranscriptFormat>>> = {
  claude: CLAUDE,
  codex: CODEX,
  copilot: COPILOT,
  gemini: GEMINI,
  opencode: OPENCODE,
};

export interface SessionQuery {
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
  const format = TRANSCRIPTS[client];
  const folder = format?.folder(env);
  const found = folder === undefined ? [] : ((await format?.sessions?.(folder, root, since)) ?? []);
  return found
    .filter(({ main }) => root === undefined || isOfProject(main.cwd, root))
    .filter(({ main }) => since === undefined || main.modifiedAt >= since)
    .toSorted((a, b) => a.main.modifiedAt.getTime() - b.main.modifiedAt.getTime());
}

/** A worktree or a repository within the project is a project of its own. */
function isOfProject(cwd: string | null, root: string): boolean {
  return cwd !== null && isAbsolute(cwd) && isSameFolder(findProjectRoot(cwd), root);
}
