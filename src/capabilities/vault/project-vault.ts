import { basename } from "node:path";
import type { Project } from "../../work/project/project.ts";
import { vaultFrom, type VaultClient } from "./vault-client.ts";

const clients = new WeakMap<Project, VaultClient>();

/** One client for all that a process does: it keeps its login, and renews it when that is due. */
export function vaultClient(project: Project): VaultClient | undefined {
  const client = clients.get(project) ?? vaultFrom(project.env, project.now);
  if (client !== undefined) clients.set(project, client);
  return client;
}

/** What the project is called in the vault. */
export function vaultName({ root }: Pick<Project, "root">): string {
  return basename(root).replaceAll(/[^\w-]/g, "-") || "project";
}
