import { dirname, isAbsolute, resolve } from "node:path";
import { isInside, recordedPath } from "../../../work/machine/recorded-path.ts";

import { MISSING, readBounded } from "../../../work/machine/read-bounded.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { checkSource } from "./check-source.ts";
import { toWorkflow } from "./define-workflow.ts";
import type { ReadNested } from "./expand.ts";
import { isModule } from "./is-module.ts";
import { loadModule } from "./load-module.ts";
import type { Problems } from "../../../work/yaml/problems.ts";
import { MAX_DEFINITION_BYTES, readYaml } from "../../../work/yaml/read-yaml.ts";
import type { Workflow } from "./types.ts";

/** Workflows inside workflows, at most this deep. */
const MAX_NESTING = 8;

export interface LoadOptions {
  /** What a relative path is relative to. */
  readonly cwd: string;
  /** The project's root: a run remembers the file by its path from here. `cwd` unless given. */
  readonly root?: string;
}

/**
 * Loads a workflow from a file: YAML or JSON, or a TypeScript or JavaScript module that exports a workflow as
 * `workflow` or by default. Loading a module runs it, as its author's program; YAML never runs anything.
 *
 * @example
 * const workflow = await loadWorkflow("build-feature.yaml", { cwd: root });
 */
export async function loadWorkflow(file: string, { cwd, root = cwd }: LoadOptions): Promise<Workflow> {
  const path = resolve(cwd, file);
  const workflow = isModule(path)
    ? await loadModule(path, file, cwd)
    : parseWorkflow(readText(path, file), { file, folder: dirname(path) });
  return { ...workflow, file: recordedPath(root, path) };
}

/** A workflow from YAML text. `file` is for messages; nested workflows are looked for in `folder`. */
export function parseWorkflow(
  text: string,
  { file, folder }: { readonly file?: string; readonly folder?: string } = {},
): Workflow {
  const { value, problems } = readYaml(text, file);
  return toWorkflow(value, problems, {
    file,
    nested: folder === undefined ? undefined : nestedReader(folder, problems),
  });
}

function nestedReader(folder: string, problems: Problems, depth = 1): ReadNested {
  return (file, path) => {
    const target = resolve(folder, file);
    if (isAbsolute(file) || !isInside(folder, target))
      return problems.add(
        path,
        `"${file}" is outside of the folder of this workflow.`,
        "Put it beside this file",
      );
    if (depth > MAX_NESTING)
      return problems.add(
        path,
        `Workflows are nested more than ${MAX_NESTING} deep.`,
        "Look for a workflow that contains itself",
      );
    const { bytes, problem } = readBounded(target, MAX_DEFINITION_BYTES);
    if (bytes === undefined)
      return problems.add(
        path,
        `"${file}" cannot be read: ${problem}.`,
        "Check the name: it is relative to this file",
      );
    const inner = readYaml(bytes.toString("utf8"), file);
    if (!checkSource(inner.value, inner.problems)) return void problems.all.push(...inner.problems.all);
    const source = inner.value;
    return { source, nested: nestedReader(dirname(target), problems, depth + 1) };
  };
}

function readText(path: string, file: string): string {
  const { bytes, problem } = readBounded(path, MAX_DEFINITION_BYTES);
  if (bytes !== undefined) return bytes.toString("utf8");
  const isMissing = problem === MISSING;
  throw new CheckpointError(
    isMissing ? "not-found" : "usage",
    `The workflow "${file}" cannot be read: ${problem}.`,
    {
      hint: isMissing ? "Check the path, or try a template: checkpoint templates" : "Check the path.",
      details: { file },
    },
  );
}
