import { dirname, join } from "node:path";
import { statePath } from "../../../work/machine/folders.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store } from "../../../core/store/contract.ts";
import { makePrivateFile, makePrivateFolder } from "../../../core/store/private-files.ts";
import { lockFile } from "../../../core/store/sqlite/file-lock.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { asList, isRecord } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { Project } from "../../../work/project/project.ts";
import type { User } from "../../../work/project/remembered.ts";
import { settingsOf, type Settings } from "../../../work/project/settings/settings.ts";

/** A remote of a store, as this user set it up. */
export interface KnownRemote {
  readonly name: string;
  readonly url: string;
  /** The key that it is sealed with; null where everything is readable. */
  readonly key_id: string | null;
  /** Its server ignores conditions, and the user said that only this machine pushes to it. */
  readonly single_writer: boolean;
  /** It came by a clone, which writes nothing there: the first push proves that its conditions hold. */
  readonly is_unproven?: boolean | undefined;
  /** Where trails stood when this machine last saw them there. Tells an old head that was put back. */
  readonly seen: Readonly<Record<string, ObjectId>>;
  /** When this machine last spoke to it, or null. */
  readonly synced_at: string | null;
}

/**
 * The remotes of a store. They are kept in the user's state folder under the store's id, where no repository can write:
 * a project must not choose where the work of those who open it goes.
 */
export async function knownRemotes(user: User, store: Store): Promise<KnownRemote[]> {
  return readRemotes(await fileOf(user, store));
}

function readRemotes(path: string): KnownRemote[] {
  const text = readIfAny(path)?.toString("utf8");
  if (text === undefined) return [];
  const remotes = asList(parse(text, path)).filter(isRecord) as unknown as KnownRemote[];
  // Without a prototype: a trail may be called "constructor".
  return remotes.map((remote) => ({ ...remote, seen: Object.assign(Object.create(null), remote.seen) }));
}

/** Replaces the remotes by what `change` makes of them. Processes that do so at the same time take turns. */
export async function changeRemotes(
  user: User,
  store: Store,
  change: (remotes: readonly KnownRemote[]) => readonly KnownRemote[],
): Promise<void> {
  const path = await fileOf(user, store);
  const folder = dirname(path);
  makePrivateFolder(folder);
  whileLocked(join(folder, "lock"), () => {
    const text = JSON.stringify(change(readRemotes(path)), null, 2);
    writePrivate(path, `${text}\n`);
  });
}

/** Held for as long as it takes to write a small file. */
const PATIENCE_MS = 10_000;

function whileLocked(path: string, use: () => void): void {
  makePrivateFile(path);
  const lock = lockFile(path, PATIENCE_MS);
  if (lock === undefined)
    throw new CheckpointError("failed", `Another process holds the lock "${path}".`, {
      hint: "Find out which one hangs, and try again.",
      details: { path },
    });
  try {
    use();
  } finally {
    lock.release();
  }
}

/** The same for one remote. Trails that were seen there come on top of those seen before. */
export async function changeRemote(
  user: User,
  store: Store,
  name: string,
  { seen, ...news }: Partial<KnownRemote>,
): Promise<void> {
  await changeRemotes(user, store, (remotes) =>
    remotes.map((remote) =>
      remote.name === name ? { ...remote, ...news, seen: { ...remote.seen, ...seen } } : remote,
    ),
  );
}

/** The remote that is meant: the one that was named, or the only one. */
export async function chooseRemote(
  project: Project,
  store: Store,
  name: string | undefined,
): Promise<KnownRemote> {
  const remotes = await knownRemotes(project, store);
  const names = remotes.map((remote) => remote.name);
  const found = name === undefined ? remotes : remotes.filter((remote) => remote.name === name);
  const [only, another] = found;
  if (only === undefined) throw noRemote(name, names, await settingsOf(project));
  if (another === undefined) return only;
  throw new CheckpointError("usage", `There are several remotes: ${names.join(", ")}.`, {
    hint: "Name one: --remote NAME",
    details: { remotes: names },
  });
}

function noRemote(
  name: string | undefined,
  names: readonly string[],
  { remotes: suggested }: Pick<Settings, "remotes">,
): CheckpointError {
  const which = name === undefined ? "This project has no remote yet." : `There is no remote "${name}".`;
  const ways = suggested.map(suggestion).join("\n") || "checkpoint remote add NAME URL";
  return new CheckpointError("not-found", which, {
    hint: names.length === 0 ? ways : "checkpoint remote list",
    details: { remotes: names },
  });
}

/** How to accept a remote that the project suggests. */
export function suggestion({ name, url }: Settings["remotes"][number]): string {
  return `cairn.yaml suggests ${oneLine(url)}. To use it: checkpoint remote add ${shellWord(oneLine(name))}`;
}

async function fileOf({ env }: User, store: Store): Promise<string> {
  return statePath(env, "remotes", `${(await store.identity()).id}.json`) ?? noStateFolder();
}

export function noStateFolder(): never {
  throw new CheckpointError("failed", "There is no folder for your own settings.", {
    hint: "Set HOME, or XDG_STATE_HOME, to a folder of your own.",
  });
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CheckpointError("corrupt", `"${path}" cannot be read.`, {
      hint: "Move it away, and add the remotes again: checkpoint remote add NAME URL",
      cause,
    });
  }
}
