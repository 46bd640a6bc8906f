import { isAbsolute } from "node:path";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { McpServer } from "@modelcontextprotocol/server";
import { findSession } from "../../work/project/actor.ts";
import type { Session } from "../../work/sessions/session.ts";
import { findConfigured } from "../../work/project/find-project.ts";
import type { ProjectFolder } from "../../work/project/project.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { ServerWorld } from "./agent-door.ts";

/** How long a client may take to say which folders it works in. */
const ROOTS_TIMEOUT_MS = 2000;

/**
 * Which project and which session the agent on the other side works in. What it says last, by a hook or with a call,
 * is right: it may begin another session without restarting us. Then what the client put into the environment, then the folders that it offers as roots, then where it started us.
 */
export class Whereabouts {
  readonly #world: ServerWorld;
  #seen: { readonly session: Session; readonly root: string } | undefined;
  #heard: Session | undefined;
  #roots: Promise<string | undefined> | undefined;

  constructor(world: ServerWorld) {
    this.#world = world;
  }

  /** Called with every event of a session, and the project it was saved in. */
  see(session: Session, root: string): void {
    this.#seen = { session, root };
    this.#heard = undefined;
  }

  /** Called with every tool call whose client names its session. */
  hear(session: Session): void {
    this.#heard = session;
  }

  get session(): Session | undefined {
    return this.#heard ?? this.#seen?.session ?? findSession(this.#world.env);
  }

  /** The client's folders have changed. */
  forgetRoots(): void {
    this.#roots = undefined;
  }

  async project(server: McpServer): Promise<ProjectFolder> {
    const { chosenFolder, cwd, env } = this.#world;
    const named = chosenFolder ?? this.folderFromEvents();
    return findConfigured(named ?? (await this.#firstRoot(server)) ?? cwd, env);
  }

  /** The folder that events or the environment name. */
  folderFromEvents(): string | undefined {
    return [this.#seen?.root, this.#world.env["CLAUDE_PROJECT_DIR"]].find(isFolder);
  }

  async #firstRoot({ server }: McpServer): Promise<string | undefined> {
    // Only connections of the 2025 protocol can be asked; later ones have no roots any more.
    if (server.getClientCapabilities()?.roots === undefined) return undefined;
    // A client that offers roots and then names none is asked no more.
    this.#roots ??= server
      .listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS })
      .then(({ roots }) => roots.map(({ uri }) => folderOf(uri)).find(isFolder))
      .catch((error: unknown) => {
        this.#world.log(`The client does not say which folders it works in: ${oneLine(String(error))}`);
        return undefined;
      });
    return this.#roots;
  }
}

function folderOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function isFolder(path: string | undefined): path is string {
  return (
    path !== undefined &&
    isAbsolute(path) &&
    !path.includes("\0") &&
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  );
}
