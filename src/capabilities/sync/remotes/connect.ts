import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CheckpointError } from "../../../core/errors.ts";
import type { Remote } from "../contract.ts";
import { openRemote } from "../open-remote.ts";
import type { RemoteTrails } from "../remote-trails.ts";
import { sealWith, UNSEALED } from "../sealing.ts";
import type { Store } from "../../../core/store/contract.ts";
import { vaultClient, vaultName } from "../../vault/project-vault.ts";
import type { Project } from "../../../work/project/project.ts";
import { keyOf } from "./keys.ts";
import { chooseRemote, type KnownRemote } from "./known-remotes.ts";

export async function openPlace(project: Project, url: string): Promise<Remote> {
  const env = { ...project.env, ...(await credentialsFromVault(project)) };
  return openRemote(url, { env, wait: (ms) => wait(ms) });
}

const CREDENTIALS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];

/** Fills in credentials that the environment only refers to, as in `secret://remote/origin#secret_access_key`. */
async function credentialsFromVault(project: Project): Promise<Readonly<Record<string, string>>> {
  const env = Object.fromEntries(CREDENTIALS.map((name) => [name, project.env[name]]));
  if (!Object.values(env).some((value) => value?.startsWith("secret://"))) return {};
  const { resolveSecrets } = await import("../../vault/secret-references.ts");
  const vault = () => vaultClient(project);
  // Whoever added the remote decided where to push, so no tier is needed; what the token may read, its policy says.
  return resolveSecrets(env, { vault, project: vaultName(project), tier: 0, parts: { remote: 0 } });
}

/** A project's store and one of its remotes, with its key: what push and pull work on. */
export interface RemoteLink {
  readonly project: Project;
  readonly store: Store;
  readonly known: KnownRemote;
  readonly trails: RemoteTrails;
}

export async function connect(project: Project, store: Store, known: KnownRemote): Promise<RemoteLink> {
  const { key_id } = known;
  const sealing = key_id === null ? UNSEALED : sealWith(await keyOf(project, key_id));
  const remote = await openPlace(project, known.url);
  refuseMissingFolder(new URL(known.url));
  return { project, store, known, trails: { sealing, remote } };
}

/** To look at a remote: the one that is named, or the only one. */
export async function connectToRead(project: Project, remote: string | undefined): Promise<RemoteLink> {
  const { store } = await project.stores.open(project, "read");
  return connect(project, store, await chooseRemote(project, store, remote));
}

/** A disk that is not mounted must not pass for an empty remote: a push would go to the disk below it. */
function refuseMissingFolder(url: URL): void {
  if (url.protocol !== "file:") return;
  const path = fileURLToPath(url);
  if (existsSync(path)) return;
  throw new CheckpointError("failed", `The remote's folder "${path}" is not there.`, {
    hint: "Everything is safe in the local store. Mount the disk or share; if the folder is gone for good, make a new one, then: checkpoint push --full",
    details: { path },
  });
}

/** What this machine is called where several share a remote. */
export function machineName({ env, machine }: Pick<Project, "env" | "machine">): string {
  return env["CHECKPOINT_MACHINE"] || machine.host;
}

export const randomName = (): string => randomUUID();
