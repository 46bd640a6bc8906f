import { statSync } from "node:fs";
import { join } from "node:path";
import { keepProjectOutOfGit } from "../machine/folders.ts";
import { type Cairn, openUnguarded } from "../state/cairn.ts";
import { STORE_FILE } from "../../core/trails/store-file.ts";
import type { CheckpointError } from "../../core/errors.ts";
import { isOlderFormat } from "../../core/store/sqlite/schema.ts";
import { StoreFiles } from "../../core/store/store-files.ts";
import { hasStore, noCheckpointYet } from "./find-project.ts";
import { findPart } from "./capability.ts";
import { type AskedAction, beforeClose, behindGate } from "./gate.ts";
import { hasMirrors, keepsMirrors, type Mirroring } from "./mirrors.ts";
import type { Opening, Project, ProjectFolder, Stores } from "./project.ts";
import { type Closable, KeptOpen } from "./kept-open.ts";
import { openSharedStore } from "./shared-store.ts";
import { storeGone } from "./store-state.ts";

interface OpenStore {
  readonly path: string;
  readonly cairn: Promise<Cairn>;
  /** Whether its files were deleted or replaced since it was opened. */
  isStale: () => boolean;
  mirroring?: Mirroring | undefined;
}

/**
 * The only place where a project's store is opened for work. Stores stay open between calls, because opening one costs
 * more than most calls do.
 */
export class OpenStores implements Stores {
  readonly #reopens: boolean;
  readonly #open = new Map<string, OpenStore>();
  readonly #closing = new Set<Promise<void>>();
  readonly #kept = new KeptOpen();

  /**
   * @param reopens For servers, which outlive stores: a store that was deleted or replaced is opened again. Everyone else
   * keeps the old handle, which then refuses to save: a fresh, empty store would hide that the old one is gone.
   */
  constructor({ reopens = false } = {}) {
    this.#reopens = reopens;
  }

  async open(
    project: Project,
    opening: Opening,
    action: string | AskedAction | null = "work.change",
  ): Promise<Cairn> {
    const cairn = await this.#openPlain(project, opening);
    return opening === "read" || action === null ? cairn : behindGate(project, cairn, action);
  }

  keepOpen<Kept extends Closable>(name: string, open: () => Promise<Kept>): Promise<Kept> {
    return this.#kept.get(name, open);
  }

  async #openPlain(project: Project, opening: Opening): Promise<Cairn> {
    if (opening !== "create" && !hasStore(project)) throw (await goneStore(project)) ?? noCheckpointYet();
    const written = await this.#current(project, "write");
    if (written !== undefined || opening !== "read") return written ?? this.#openAnew(project, opening);
    return (await this.#current(project, "read")) ?? this.#openAnew(project, opening);
  }

  /** The open handle, unless its store was replaced. */
  async #current(project: Project, opening: Opening): Promise<Cairn | undefined> {
    const key = keyOf(project, opening);
    const known = this.#open.get(key);
    if (known === undefined) return undefined;
    const cairn = await known.cairn;
    if (!this.#reopens || !known.isStale()) {
      await mirror(project, known, opening);
      return cairn;
    }
    // Closed first: SQLite shares its knowledge of a log between the handles of a process.
    await this.#forget(key, known);
    return undefined;
  }

  async close({ logBytes = 0 } = {}): Promise<void> {
    for (const { mirroring } of this.#open.values()) await mirroring?.end();
    for (const [key, known] of this.#open)
      if ((logOf(known.path)?.size ?? 0) >= logBytes) void this.#forget(key, known);
    await Promise.all([...this.#closing, this.#kept.close()]);
  }

  async #openAnew(project: Project, opening: Opening): Promise<Cairn> {
    const key = keyOf(project, opening);
    // Two first calls at once share one handle.
    const other = this.#open.get(key);
    if (other !== undefined) return other.cairn;
    const path = join(project.folder, STORE_FILE);
    const fresh: OpenStore = { path, cairn: openStore(project, opening), isStale: () => false };
    this.#open.set(key, fresh);
    try {
      const cairn = await fresh.cairn;
      if (project.shared === undefined) fresh.isStale = staleness(path, opening);
      await mirror(project, fresh, opening);
      return cairn;
    } catch (error) {
      this.#open.delete(key);
      throw error;
    }
  }

  #forget(key: string, known: OpenStore): Promise<void> {
    if (this.#open.get(key) === known) this.#open.delete(key);
    // If it never opened, its caller knows. What was saved is durable, even if closing fails.
    const closing = closeMirrored(known).catch(() => {});
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
    return closing;
  }
}

/** Asked with every call, because the mirror may be made while the store is open. */
async function mirror(project: Project, open: OpenStore, opening: Opening): Promise<void> {
  if (open.mirroring || project.shared !== undefined || !(await keepsMirrors(project, opening))) return;
  const mirrors = await findPart(project, "mirrors");
  open.mirroring ??= mirrors?.keep(project, open.cairn, opening);
}

/** The mirror first, because SQLite tidies up when the last handle of a store closes. */
async function closeMirrored({ cairn, mirroring }: OpenStore): Promise<void> {
  const opened = await cairn;
  await mirroring?.end();
  await beforeClose(opened);
  await opened.close();
}

async function openStore(project: Project, opening: Opening): Promise<Cairn> {
  if (project.shared !== undefined) {
    if (project.shared.insecure) project.notices.warning(UNPROVED);
    return openUnguarded({ store: await openSharedStore(project, project.shared), now: project.now });
  }
  const isNew = !hasStore(project);
  const gone = isNew ? await goneStore(project) : undefined;
  if (isNew) keepProjectOutOfGit(project.root);
  const { folder: path, now } = project;
  const cairn = await openUnguarded({ path, readOnly: opening === "read", now }).catch(
    async (error: unknown) => {
      if (!isOlderFormat(error)) throw error;
      // Only a writer brings an older store over; after that it can be read.
      await (await openUnguarded({ path, now })).close();
      project.notices.message(`Upgraded ${path} to the current format.`);
      return openUnguarded({ path, readOnly: true, now });
    },
  );
  if (isNew) {
    // This user created the store, so its runs may run.
    const { registerStore } = await import("./trust.ts");
    const { dropAnchor } = await import("./anchor.ts");
    await registerStore(project, project.folder, cairn.store);
    dropAnchor(project, { isNew: true });
    project.notices.message(`Created ${project.folder}, which keeps itself out of git.`);
    if (gone !== undefined) project.notices.warning(`${gone.message}\n${gone.hint}`);
  }
  return cairn;
}

/** What is said where a store was used before. It is never brought back without being asked for. */
async function goneStore(project: Project): Promise<CheckpointError | undefined> {
  const { wasUsed } = await import("./anchor.ts");
  const mirror = hasMirrors(project)
    ? (await findPart(project, "mirrors"))?.mirrorOfLost(project)
    : undefined;
  return mirror !== undefined || wasUsed(project) ? storeGone(project.folder, mirror) : undefined;
}

const UNPROVED =
  "The certificate of the shared store's server is not verified: anyone on the network path could read and change everything.";

/** Lets a store that has lost commits be used again. What is left of its log is kept beside it. */
export async function acceptLoss(project: Project): Promise<void> {
  if (project.shared !== undefined || !hasStore(project)) return;
  const cairn = await openUnguarded({ path: project.folder, acceptLoss: true, now: project.now });
  await cairn.close();
  const { dropAnchor } = await import("./anchor.ts");
  dropAnchor(project, { isNew: true });
}

const keyOf = ({ folder, shared }: ProjectFolder, opening: Opening) =>
  `${opening === "read" && shared === undefined ? "read" : "write"} ${folder} ${shared?.url} ${shared?.schema}`;

/** A read-only handle may show the store as it was when opened, so any change of the files makes it stale. */
function staleness(path: string, opening: Opening): () => boolean {
  if (opening !== "read") {
    const files = new StoreFiles(path);
    return () => files.findLost() !== undefined;
  }
  const stamp = () => {
    const { dev, ino, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return [dev, ino, mtimeMs, logOf(path)?.ino].join(":");
  };
  const opened = stamp();
  return () => stamp() !== opened;
}

function logOf(path: string) {
  return statSync(`${path}-wal`, { throwIfNoEntry: false });
}
