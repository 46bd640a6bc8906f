import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_FILE } from "./settings/settings.ts";
import { readTemplate } from "../machine/read-template.ts";
import { hasStore } from "./find-project.ts";
import type { Project } from "./project.ts";

export type Made = "created" | "already there" | "would be created";

export interface MadeFile {
  readonly path: string;
  readonly made: Made;
}

interface MakeOptions {
  readonly dryRun: boolean;
}

/** The project's store, made unless it is there. */
export async function makeStore(project: Project, { dryRun }: MakeOptions): Promise<MadeFile> {
  const isThere = hasStore(project);
  const made: Made = isThere ? "already there" : dryRun ? "would be created" : "created";
  // Says itself what it creates; here that is part of the result.
  const notices = { message: () => {}, warning: () => {} };
  if (!dryRun) await project.stores.open({ ...project, notices }, "create", null);
  return { path: project.folder, made };
}

/** The project's config, with nothing but explanations in it. */
export function makeConfig({ root }: Project, { dryRun }: MakeOptions): MadeFile {
  const path = join(root, PROJECT_FILE);
  if (existsSync(path)) return { path, made: "already there" };
  if (dryRun) return { path, made: "would be created" };
  writeFileSync(path, readTemplate(PROJECT_FILE), { flag: "wx", mode: 0o644 });
  return { path, made: "created" };
}
