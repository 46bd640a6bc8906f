import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Remote } from "../../remote/contract.ts";
import { openRemote } from "../../remote/open-remote.ts";
import type { RemoteTrails } from "../../remote/remote-trails.ts";
import type { Project } from "../project.ts";
import { sealingOf } from "./keys.ts";
import type { KnownRemote } from "./known-remotes.ts";

export function openPlace({ env }: Pick<Project, "env">, url: string): Promise<Remote> {
  return openRemote(url, { env, wait: (ms) => wait(ms) });
}

/** A remote with its key, ready for push and pull. */
export async function connect(project: Project, known: KnownRemote): Promise<RemoteTrails> {
  return { sealing: sealingOf(project, known.key_id), remote: await openPlace(project, known.url) };
}

/** What this machine is called where several share a remote. */
export function machineName({ env, machine }: Pick<Project, "env" | "machine">): string {
  return env["CHECKPOINT_MACHINE"] || machine.host;
}

export const randomName = (): string => randomUUID();
