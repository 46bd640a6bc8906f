import { join } from "node:path";
import { keepOutOfGit } from "../capture/files/project-root.ts";
import { openCairn, STORE_FILE, type Cairn } from "../checkpoints/cairn.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { Trail } from "../checkpoints/trail.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import { type Configured, readSettings } from "../project/settings/settings.ts";
import { chooseTrail, noCheckpointYet, refuseRun, trailToRead } from "./choose-trail.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import { findProject, hasStore, type Project } from "./project.ts";

export { findProject, hasStore, type Project };

export interface Opened extends Project {
  readonly cairn: Cairn;
  readonly trail: Trail<WorkState>;
}

/** A trail that can be written to, with the settings in force. */
export interface OpenedToWrite extends Opened {
  readonly settings: Configured;
}

/** Opens what is there, to look at it. Never creates anything. */
export async function openToRead(
  context: Context,
  options: { trail?: string | undefined },
  output: Output,
): Promise<Opened> {
  const project = findProject(context);
  const chosen = chooseTrail(context, options.trail);
  const cairn = await openStore(context, project);
  const name = await trailToRead(cairn, chosen, output);
  return { ...project, cairn, trail: cairn.trail(name) };
}

/** The store without a trail, for commands about all of them. */
export async function openStore(
  context: Context,
  project: Project,
  { readOnly = true } = {},
): Promise<Cairn> {
  if (!hasStore(project)) throw noCheckpointYet();
  return openAt(context, project, readOnly);
}

async function openAt({ now }: Context, { folder }: Project, readOnly: boolean): Promise<Cairn> {
  const store = await openSqliteStore({ path: join(folder, STORE_FILE), readOnly });
  return openCairn({ store, now });
}

/**
 * Opens the store to save something. The first save of a project creates it and says so; with `mustExist` there
 * has to be one, because what is to be changed can only be there already. The trail of a run is refused, unless
 * with `mayBeRun` nothing is written to it.
 */
export async function openToWrite(
  context: Context,
  options: { trail?: string | undefined; mustExist?: boolean; mayBeRun?: boolean },
  output: Output,
): Promise<OpenedToWrite> {
  const project = findProject(context);
  const { name } = chooseTrail(context, options.trail);
  if (!options.mayBeRun) refuseRun(name);
  const settings = await readSettings(context, project.root);
  const isNew = !hasStore(project);
  if (isNew && options.mustExist) throw noCheckpointYet();
  const cairn = await openOrCreate(context, project);
  if (isNew) output.message(`Created ${project.folder}, which keeps itself out of git.`);
  return { ...project, cairn, trail: cairn.trail(name), settings };
}

export async function openOrCreate(context: Context, project: Project): Promise<Cairn> {
  if (hasStore(project)) return openAt(context, project, false);
  keepOutOfGit(project.root);
  const cairn = await openAt(context, project, false);
  await registerNew(context, project, cairn);
  return cairn;
}

/** A store that was just made is this user's own: its runs may run. */
export async function registerNew(context: Context, { folder }: Project, { store }: Cairn): Promise<void> {
  const { registerStore } = await import("./workflow/trust.ts");
  await registerStore(context, folder, store);
}
