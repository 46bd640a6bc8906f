import { CheckpointError } from "../../../core/errors.ts";
import { assertConditionsHold } from "../probe.ts";
import { readSetup, writeSetup, type RemoteSetup } from "../setup-document.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import { openPlace, randomName } from "./connect.ts";
import { acceptKey, idOf, keepKey, keepKeyText, keyOf, keyText, makeKey, wrapKey } from "./keys.ts";
import { changeRemotes, chooseRemote, knownRemotes, type KnownRemote } from "./known-remotes.ts";
import { refuseReadable, rememberSealed } from "./sealed-places.ts";

export interface RemoteAddInput {
  readonly name: string;
  /** Without one, what the project suggests under this name: to add it is to accept it. */
  readonly url?: string | undefined;
  /** Seals everything before it leaves this machine. */
  readonly encrypt?: boolean | undefined;
  /** Seals too. The key is on no disk: this Transit key of Vault wraps it. */
  readonly vault?: string | undefined;
  /** Accepts a server that ignores conditions: with two machines, work would be lost. */
  readonly unsafeSingleWriter?: boolean | undefined;
}

/** Sets up a remote, after proving with writes that must be refused that its conditions hold. */
export async function remoteAdd(project: Project, input: RemoteAddInput) {
  const { name, vault, unsafeSingleWriter: single_writer = false } = input;
  const encrypt = input.encrypt === true || vault !== undefined;
  await refuseName(project, name);
  const url = input.url ?? (await suggestedUrl(project, name));
  const remote = await openPlace(project, url);
  // Everything that is saved here may go there.
  await askGate(project, "keep.remote");
  if (!single_writer) await assertConditionsHold(remote, randomName);
  const present = await readSetup(remote);
  refuseReadable(project, url, { present, encrypt });
  if (present !== undefined) await acceptKey(project, present);
  const isNew = present === undefined || vault !== undefined;
  const setup = isNew ? await makeSetup(project, present?.keyId, { encrypt, vault }) : present;
  const isWritten = !isNew || (await writeSetup(remote, setup, present?.version));
  if (!isWritten && (await readSetup(remote))?.keyId !== setup.keyId) throw otherSetup(url);
  return { remote: await keepRemote(project, { name, url, key_id: setup.keyId, single_writer }) };
}

/** Refuses what cannot be a remote's name, or is one already. */
export async function refuseName(project: Project, name: string): Promise<void> {
  if (!/^[\w-]{1,40}$/.test(name))
    throw new CheckpointError("usage", `"${name}" is not a remote's name.`, {
      hint: "Use letters, digits, - and _, as in origin.",
    });
  refuseTaken(name, await remotes(project));
}

/** Notes a remote that was found to be usable. Where there is no store yet, one is made. */
export async function keepRemote(
  project: Project,
  remote: Pick<KnownRemote, "name" | "url" | "key_id" | "single_writer" | "is_unproven">,
) {
  const known: KnownRemote = { ...remote, seen: {}, synced_at: null };
  const { store } = await project.stores.open(project, "create");
  if (known.key_id !== null) rememberSealed(project, known.url);
  await changeRemotes(project, store, (others) => {
    refuseTaken(known.name, others);
    return [...others, known];
  });
  return shown(known);
}

/** With a new key, or with the one that the remote is sealed with already, wrapped anew. */
async function makeSetup(
  project: Project,
  present: string | null | undefined,
  { encrypt, vault }: { encrypt: boolean; vault: string | undefined },
): Promise<RemoteSetup> {
  if (!encrypt) return { keyId: null };
  const key = present ? await keyOf(project, present) : makeKey();
  if (vault === undefined) return { keyId: keepKey(project, key) };
  const setup = { keyId: idOf(key), wrapped: await wrapKey(project, vault, key) };
  await acceptKey(project, setup);
  return setup;
}

/** Kept with the remote from now on: what the project says later changes nothing. */
async function suggestedUrl(project: Project, name: string): Promise<string> {
  const { remotes: suggested } = await settingsOf(project);
  const found = suggested.find((remote) => remote.name === name);
  if (found !== undefined) return found.url;
  throw new CheckpointError("usage", `Where is "${name}"? cairn.yaml suggests no remote of that name.`, {
    hint: `Give its address: checkpoint remote add ${name} URL`,
    details: { name },
  });
}

/** The remotes of this project. */
export async function remotes(project: Project) {
  if (!hasStore(project)) return [];
  const { store } = await project.stores.open(project, "read");
  return (await knownRemotes(project, store)).map(shown);
}

/** Forgets a remote. What it keeps stays there. */
export async function remoteRemove(project: Project, { name }: { readonly name: string }) {
  const { store } = await project.stores.open(project, "read");
  const known = await chooseRemote(project, store, name);
  await askGate(project, "keep.remote");
  await changeRemotes(project, store, (all) => all.filter((remote) => remote.name !== name));
  return { remote: shown(known) };
}

/** The key of a sealed remote, as a text to carry to another machine. */
export async function keyExport(project: Project, { remote }: { readonly remote?: string | undefined }) {
  const { store } = await project.stores.open(project, "read");
  const { name, key_id } = await chooseRemote(project, store, remote);
  if (key_id === null)
    throw new CheckpointError("not-found", `The remote "${name}" is not sealed, so it has no key.`, {
      hint: "A sealed one, in a place that is still empty: checkpoint remote add NAME URL --encrypt",
    });
  await askGate(project, "keep.key");
  return { key_id, key: await keyText(project, key_id) };
}

/** Keeps a key from another machine for this user. */
export async function keyImport(project: Project, { key }: { readonly key: string }) {
  await askGate(project, "keep.key");
  return { key_id: keepKeyText(project, key) };
}

function shown({ name, url, key_id, single_writer, synced_at }: KnownRemote) {
  return { name, url, key_id, single_writer, synced_at };
}

function refuseTaken(name: string, taken: readonly Pick<KnownRemote, "name">[]): void {
  if (taken.every((known) => known.name !== name)) return;
  throw new CheckpointError("conflict", `There is already a remote "${name}".`, {
    hint: `Choose another name, or first: checkpoint remote remove ${name}`,
    details: { name },
  });
}

function otherSetup(url: string): CheckpointError {
  return new CheckpointError("conflict", `Another machine set ${url} up at the same moment.`, {
    hint: "Try again.",
    details: { url },
  });
}
