import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

import type { WorkflowContext } from "../../../src/capabilities/workflow/context.ts";
import { openContext } from "./context.ts";

/** A project of its own in a temporary folder, with a real store. Both go when the test ends. */
export interface Project extends WorkflowContext {
  write(path: string, text: string): void;
  read(path: string): string;
  /** A second handle on the same project, as another terminal has. */
  another(): Promise<Project>;
}

export async function newProject(
  files: Record<string, string> = {},
  options: Partial<WorkflowContext> = {},
): Promise<Project> {
  const root = mkdtempSync(join(tmpdir(), "cairn-workflow-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = await openProject(root, options);
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return project;
}

export async function openProject(root: string, options: Partial<WorkflowContext> = {}): Promise<Project> {
  const opened = await openContext(root, options);
  onTestFinished(() => opened.close());
  return {
    ...opened.context,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    another: () => openProject(root, options),
  };
}
