import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";

import { openCairn, type Cairn } from "../../../src/checkpoints/cairn.ts";
import type { WorkflowContext } from "../../../src/workflow/context.ts";

/** A project of its own in a temporary folder, with a real store. */
export interface Project extends WorkflowContext {
  write(path: string, text: string): void;
  read(path: string): string;
  /** A second handle on the same project, as another terminal has. */
  another(): Promise<Project>;
}

const open: Cairn[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const cairn of open.splice(0)) await cairn.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export async function newProject(
  files: Record<string, string> = {},
  options: Partial<WorkflowContext> = {},
): Promise<Project> {
  const root = mkdtempSync(join(tmpdir(), "cairn-workflow-"));
  folders.push(root);
  const project = await openProject(root, options);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return project;
}

export async function openProject(root: string, options: Partial<WorkflowContext> = {}): Promise<Project> {
  const folder = join(root, ".cairn");
  const now = options.now ?? (() => new Date());
  const cairn = await openCairn({ path: folder, now });
  open.push(cairn);
  return {
    cairn,
    root,
    folder,
    now,
    env: process.env,
    pid: process.pid,
    host: "test",
    kill: (pid, signal) => void process.kill(pid, signal),
    ...options,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    another: () => openProject(root, options),
  };
}
