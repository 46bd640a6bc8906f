import { existsSync } from "node:fs";
import { join } from "node:path";
import { personalFolder } from "../machine/folders.ts";
import type { Cairn } from "../state/cairn.ts";
import type { Opening, Project } from "./project.ts";
import type { User } from "./remembered.ts";
import { maySet, settingsOf } from "./settings/settings.ts";

/** What keeps mirrors: copies of stores, outside of their projects, in a folder of the user's own. */
export interface Mirrors {
  /** Keeps the mirror of an open store for as long as the process lives, if there is to be one. */
  keep(project: Project, opened: Promise<Cairn>, opening: Opening): Mirroring;
  /** The newest mirror that was kept for a project whose store is gone. */
  mirrorOfLost(project: Project): KeptMirror | undefined;
  /** The mirror of a store that was here before this one, if it holds trails that were not brought in. */
  unrestored(project: Project): Promise<KeptMirror | undefined>;
}

export interface Mirroring {
  /** Catches up once more, within limits, and ends. A second call does nothing. */
  end(): Promise<void>;
}

interface KeptMirror {
  readonly file: string;
  /** When it was last written. */
  readonly at: Date;
}

/** Whether this user has mirrors, or wants them: then this store may get one. */
export async function keepsMirrors(project: Project, opening: Opening): Promise<boolean> {
  return hasMirrors(project) || (opening !== "read" && (await wantsMirrors(project)));
}

/** Whether this user has a mirror of any project. */
export function hasMirrors(user: User): boolean {
  return existsSync(mirrorsFolder(user) ?? "");
}

/** Whether the user's config asks for a mirror of each project. */
export async function wantsMirrors(project: Project): Promise<boolean> {
  return maySet("mirror", project, project.root) && (await settingsOf(project)).mirror === true;
}

/** `cairn/mirrors` in $XDG_DATA_HOME, or in ~/.local/share. */
export function mirrorsFolder({ env }: User): string | undefined {
  const data = personalFolder(env, "XDG_DATA_HOME", ".local", "share");
  return data && join(data, "cairn", "mirrors");
}
