import { statSync } from "node:fs";
import type { SetupClient } from "./setup-clients.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Project } from "../../../work/project/project.ts";
import { CLIENTS } from "../../../work/clients/clients.ts";
import { sessionTrail } from "../../../work/sessions/session.ts";

const LONGEST_BACK_MS = 7 * 24 * 60 * 60_000;

/**
 * Whether a client recorded sessions in this project since it was set up, and none of them was seen here: what the
 * client keeps is compared with what its hooks sent.
 */
export async function isSilent(project: Project, client: SetupClient, settings: string): Promise<boolean> {
  if (client === "agents-md" || !CLIENTS[client].isImportable) return false;
  const setUp = statSync(settings, { throwIfNoEntry: false })?.mtime;
  if (setUp === undefined) return false;
  const since = new Date(Math.max(setUp.getTime(), project.now().getTime() - LONGEST_BACK_MS));
  const { findSessions } = await import("../archive/recorded-sessions.ts");
  const recorded = await findSessions(client, { env: project.env, root: project.root, since });
  if (recorded.length === 0) return false;
  if (!hasStore(project)) return true;
  const trails = await (await project.stores.open(project, "read")).trails();
  const seen = new Set(trails.map(({ name }) => name));
  return !recorded.some(({ main }) => seen.has(sessionTrail(main.session_id)));
}
