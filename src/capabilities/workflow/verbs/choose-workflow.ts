import { dirname, join } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { loadWorkflow, parseWorkflow } from "../definition/load-workflow.ts";
import type { Workflow } from "../definition/types.ts";
import { findTemplate, writeTemplate } from "../templates/templates.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { refuseLinks } from "../../../core/store/private-files.ts";
import type { Project } from "../../../work/project/project.ts";

export interface ChosenWorkflow {
  readonly workflow: Workflow;
  /** How the workflow is named in a command. */
  readonly words: string;
  /** Writes the files that it needs, if it is a template: into the store's folder, which is ours. */
  readonly prepare: () => void;
}

interface WorkflowChoice {
  /** Where a relative path starts. */
  readonly cwd: string;
  readonly file?: string | undefined;
  readonly template?: string | undefined;
}

/** The workflow that is meant: a file, or a template. Nothing is written yet. */
export async function chooseWorkflow(
  { root, folder }: Project,
  { cwd, file, template }: WorkflowChoice,
): Promise<ChosenWorkflow> {
  if (file !== undefined && template !== undefined)
    throw usage("A file and a template were named: only one can run.");
  if (template !== undefined) return chooseTemplate(template, { root, folder });
  if (file === undefined) throw usage("Which workflow?");
  return { workflow: await loadWorkflow(file, { cwd, root }), words: shellWord(file), prepare: () => {} };
}

function chooseTemplate(name: string, { root, folder }: Pick<Project, "root" | "folder">): ChosenWorkflow {
  const template = findTemplate(name);
  const target = join(folder, "templates", name);
  const path = join(target, "workflow.yaml");
  const parsed = parseWorkflow(template.files["workflow.yaml"] ?? "", { file: path, folder: dirname(path) });
  return {
    workflow: { ...parsed, file: path.slice(root.length + 1) },
    words: `--template ${name}`,
    prepare: () => {
      refuseLinks(folder, target);
      writeTemplate(template, target, { overwrite: true });
    },
  };
}

function usage(message: string): CheckpointError {
  return new CheckpointError("usage", message, {
    hint: "checkpoint run FILE, or to try one: checkpoint run --template eight-agents",
  });
}
