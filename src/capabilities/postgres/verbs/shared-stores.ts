import { resolve } from "node:path";
import { copyStore, type StoreCopy } from "../../../core/trails/transfer/copy-store.ts";
import { openUnguarded, type Cairn } from "../../../work/state/cairn.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Progress, Store } from "../../../core/store/contract.ts";
import { findProject } from "../../../work/project/find-project.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { isOwnRun, rememberImport } from "../../../work/project/trust.ts";
import { RUN_TRAIL_PREFIX } from "../../../work/state/run-trail.ts";
import { findPart } from "../../../work/project/capability.ts";
import type { WorksInStores, WorkStatus } from "../shared-work.ts";
import {
  openSharedStore,
  reachable,
  sharedStoreFrom,
  STORE_VARIABLE,
  withTypedStore,
  type SharedStore,
} from "../../../work/project/shared-store.ts";

export interface CopyStoreInput extends Progress {
  /** `local`, `shared`, the URL of a shared store, or the folder of a project. */
  readonly from: string;
  readonly to: string;
}

/** Copies all trails of one store into another: from this machine to a server, or back. */
export async function copyStores(project: Project, input: CopyStoreInput): Promise<StoreCopy> {
  const [source, target] = [projectNamed(project, input.from), projectNamed(project, input.to)];
  // Each has a ledger of its own: who may write to one may be revoked in the other.
  for (const each of [source, target]) await askGate(each, "keep.copy");
  const from = await openStoreOf(source, { readOnly: true });
  try {
    const to = await openStoreOf(target, { readOnly: false });
    try {
      await markForeignRuns(from, to);
      return await copyStore(from.cairn.store, to.cairn.store, { onProgress: input.onProgress });
    } finally {
      await to.cairn.close();
    }
  } finally {
    await from.cairn.close();
  }
}

/** A run whose commands this user did not choose there is not the user's own here. Marked before it is there. */
async function markForeignRuns(from: ProjectStore, to: ProjectStore): Promise<void> {
  for (const { name } of await from.cairn.store.trails({ prefix: RUN_TRAIL_PREFIX })) {
    const run = name.slice(RUN_TRAIL_PREFIX.length);
    if (!(await isOwnRun(from, run))) await rememberImport(to, run);
  }
}

function projectNamed(project: Project, name: string): Project {
  if (name === "local") return { ...project, shared: undefined };
  if (name === "shared") return { ...project, shared: chosenStore(project) };
  if (!/^postgres(?:ql)?:/.test(name))
    return { ...project, ...findProject(resolve(project.root, name)), shared: undefined };
  const { insecure = false } = project.shared ?? {};
  const env = withTypedStore({}, { store: name, insecure });
  return { ...project, shared: sharedStoreFrom(env, { url_env: STORE_VARIABLE }) };
}

type ProjectStore = Project & { readonly cairn: Cairn };

async function openStoreOf(project: Project, { readOnly }: { readOnly: boolean }): Promise<ProjectStore> {
  const { shared, folder: path, now } = project;
  const cairn =
    shared === undefined
      ? await openUnguarded({ path, readOnly, now })
      : await openUnguarded({ store: await openSharedStore(project, shared), now });
  return { ...project, cairn };
}

export interface MigrateInput {
  /** A role that may use the store, but not change its tables. */
  readonly role?: string | undefined;
}

/** Makes the shared store, or brings it up to date. */
export async function migrateStore(
  project: Project,
  { role }: MigrateInput,
): Promise<{ from: number; to: number }> {
  const { migratePostgresStore } = await import("../store.ts");
  const { patienceMs, ...store } = reachable(chosenStore(project));
  const migrated = await migratePostgresStore({ ...store, role });
  try {
    await (await workIn(project))?.migrate({ ...store, patienceMs }, role);
  } catch (error) {
    // A store without a queue is whole: only workers need it.
    if (!isCheckpointError(error, "missing-dependency")) throw error;
    project.notices.warning(`No queue for workers was made: ${error.message} ${error.hint}`);
  }
  return migrated;
}

export interface StoreStatus {
  readonly kind: "local" | "shared";
  readonly id: string;
  readonly durability: Store["durability"];
  readonly trails: number;
  /** Of a shared store: who works in it, and what waits. */
  readonly work: WorkStatus | null;
}

export async function storeStatus(project: Project): Promise<StoreStatus> {
  const cairn = await project.stores.open(project, "read");
  const { id } = await cairn.store.identity();
  const { durability } = cairn.store;
  const trails = (await cairn.store.trails()).length;
  const kind = project.shared === undefined ? "local" : "shared";
  const work = kind === "local" ? undefined : await (await workIn(project))?.status(project);
  return { kind, id, durability, trails, work: work ?? null };
}

const workIn = (project: Project) => findPart<WorksInStores, "sharedWork">(project, "sharedWork");

function chosenStore({ shared }: Pick<Project, "shared">): SharedStore {
  if (shared !== undefined) return shared;
  throw new CheckpointError("usage", "No shared store is chosen.", {
    hint: "Set CHECKPOINT_STORE to postgres://user@host/database?schema=NAME, or pass --store.\nIf cairn.yaml names one: checkpoint config --accept-store",
  });
}
