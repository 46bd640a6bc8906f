import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Cairn } from "../../../work/state/cairn.ts";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import type { Opening, Project } from "../../../work/project/project.ts";
import type { User } from "../../../work/project/remembered.ts";
import { type Mirroring, mirrorsFolder, wantsMirrors } from "../../../work/project/mirrors.ts";
import type { MirrorKeeper } from "./mirror-keeper.ts";

/** With the time that a copy takes, a mirror lags by less than a second. */
const EVERY_MS = 400;

/**
 * Keeps the mirror of an open store for as long as the process lives, if there is to be one. Commits never wait for it, and
 * no failure of it is theirs.
 */
export function keepMirrored(project: Project, opened: Promise<Cairn>, opening: Opening): Mirroring {
  let keeping: Promise<MirrorKeeper | undefined> | undefined;
  let running: Promise<void> | undefined;
  let ending: Promise<void> | undefined;
  let hasFailed = false;
  const catchUp = async (isBrief: boolean): Promise<void> => {
    if (hasFailed) return;
    try {
      keeping ??= openIfWanted(project, opened, opening);
      await (await keeping)?.catchUp({ isBrief });
    } catch (error) {
      hasFailed = true;
      // A store that was deleted is reported by those who use it.
      if (existsSync(join(project.folder, STORE_FILE)))
        project.notices.warning(`The mirror was not updated: ${(error as Error).message}`);
    }
  };
  const timer = setInterval(() => {
    running ??= catchUp(false).finally(() => (running = undefined));
  }, EVERY_MS);
  timer.unref();
  const end = async () => {
    clearInterval(timer);
    await running;
    await catchUp(true);
    (await keeping?.catch(() => undefined))?.close();
  };
  return { end: () => (ending ??= end()) };
}

async function openIfWanted(
  project: Project,
  opened: Promise<Cairn>,
  opening: Opening,
): Promise<MirrorKeeper | undefined> {
  const { id } = await (await opened).store.identity();
  if (!hasMirror(project, id) && (opening === "read" || !(await wantsMirrors(project)))) return undefined;
  const { openKeeper } = await import("./mirror-keeper.ts");
  return openKeeper(project, id);
}

function hasMirror(user: User, id: string): boolean {
  const folder = mirrorsFolder(user);
  return folder !== undefined && existsSync(join(folder, id));
}
