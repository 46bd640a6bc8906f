import { statSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import { defined } from "../../../work/yaml/defined.ts";
import { importModule } from "./import-module.ts";
import { refusedFor, type SourceProblem } from "../../../work/yaml/problems.ts";
import type { Workflow } from "./types.ts";

/** Loads the workflow that a module exports. Whatever is wrong with the module is its author's own error, with its place. */
export async function loadModule(path: string, file: string, cwd: string): Promise<Workflow> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new CheckpointError("not-found", `There is no file "${file}".`, { details: { file } });
  const loaded = { path, file, cwd };
  const module = await importModule(path).catch((error: unknown) => {
    if (!isCheckpointError(error)) throw cannotLoad(error, loaded);
    const { problems } = error.details;
    throw Array.isArray(problems) ? mistakesIn(error, problems as SourceProblem[], loaded) : error;
  });
  const found = module["workflow"] ?? module["default"];
  if (isRecord(found) && found["functions"] instanceof Map) return found as unknown as Workflow;
  throw new CheckpointError("usage", `"${file}" exports no workflow.`, {
    hint: "Export it by name: export const workflow = defineWorkflow({ … })",
    details: { file },
  });
}

interface LoadedFile {
  readonly path: string;
  readonly file: string;
  readonly cwd: string;
}

/** What is wrong with a definition, with the file and the line that define it. */
function mistakesIn({ stack = "" }: Error, problems: readonly SourceProblem[], loaded: LoadedFile) {
  const [, caller = ""] = /^ *at defineWorkflow .*\n(.*)$/m.exec(stack) ?? [];
  const place = placeIn(caller);
  const position = { file: shownFile(place, loaded), ...defined({ line: place?.line }) };
  return refusedFor(problems.map((problem) => ({ ...position, ...problem })));
}

const shownFile = (place: SourcePlace | undefined, { path, file, cwd }: LoadedFile) =>
  place === undefined || place.path === path ? file : relative(cwd, place.path);

function cannotLoad(error: unknown, loaded: LoadedFile): CheckpointError {
  const thrown = error instanceof Error ? error : { name: "thrown", message: String(error) };
  const { name, message, code = "", stack = "" } = thrown as NodeJS.ErrnoException;
  // What could not be found was looked for by a hook of ours.
  const place = placeIn(stack.replaceAll(/^.*\bimport-module\.[jt]s.*$/gm, ""));
  const position = [shownFile(place, loaded), place?.line, place?.column]
    .filter((part) => part !== undefined)
    .join(":");
  return new CheckpointError("usage", `${position}: ${name}: ${message}`, {
    hint: REMEDIES[code] ?? "The program could not be loaded. Correct it there, then try again.",
    details: { file: loaded.file, ...place },
    cause: error,
  });
}

const REMEDIES: Readonly<Record<string, string>> = {
  ERR_MODULE_NOT_FOUND: "Check the name in the import, or install the package: npm install",
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    "Node only strips types: use erasable syntax, such as const objects instead of enums.",
};

interface SourcePlace {
  readonly path: string;
  readonly line: number;
  readonly column?: number | undefined;
}

/** The first place in a stack that is in a file: Node's own frames are in none. */
function placeIn(stack: string): SourcePlace | undefined {
  const found = /(?:^|[ (])((?:file:\/\/|\/|[A-Za-z]:[\\/])[^\n()]*?):(\d+)(?::(\d+))?\)?$/m.exec(stack);
  if (found === null) return undefined;
  const [, path = "", line, column] = found;
  return {
    path: path.startsWith("file://") ? fileURLToPath(path) : path,
    line: Number(line),
    column: column === undefined ? undefined : Number(column),
  };
}
