import { resolve } from "node:path";
import { MISSING, readBounded } from "../../../work/machine/read-bounded.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { isModule } from "../definition/is-module.ts";
import { MAX_DEFINITION_BYTES } from "../../../work/yaml/read-yaml.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { isConfirmed } from "../../../work/terminal/ask.ts";

interface DryRunOptions {
  readonly file?: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** The commit whose file is meant, where it is not the one on the disk. */
  readonly commit?: string | undefined;
  /** The command to type again. */
  readonly command: string;
}

/**
 * Whether a dry run may load its workflow. A module has to run for that, which is more than a dry run promises: so it says what
 * would be loaded, and asks. Without a terminal it is refused unless `--yes` was given.
 */
export async function mayLoadForPlan(
  context: Context,
  { file, dryRun, yes, commit, command }: DryRunOptions,
  output: Output,
): Promise<boolean> {
  if (!dryRun || yes || file === undefined || !isModule(file)) return true;
  const path = resolve(context.cwd, file);
  const { bytes, problem } =
    commit === undefined ? readBounded(path, MAX_DEFINITION_BYTES) : { problem: "it is in a commit" };
  // What is not there says so itself.
  if (problem === MISSING) return true;
  const imported = importsOf(bytes?.toString("utf8") ?? "");
  const words = [
    `"${oneLine(file)}" is a program: to plan its workflow, its code has to run. It would load:`,
    commit === undefined ? `  ${oneLine(path)}` : `  ${oneLine(file)} of commit ${oneLine(commit)}`,
    ...imported.map((name) => `  ${oneLine(name)}, which it imports`),
  ].join("\n");
  const refusal = new CheckpointError("refused", words, {
    hint: `Read it. If you want it to be loaded: ${command} --dry-run --yes`,
    details: { file },
  });
  if (context.isInteractive) output.message(words);
  return isConfirmed(context, output, "Load it?", refusal);
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](?<name>[^"'\n]{1,200})["']/g;

/** What the text imports by name. What it loads in other ways only running it can tell. */
const importsOf = (text: string): string[] => [
  ...new Set([...text.matchAll(IMPORT)].map(({ groups }) => groups?.["name"] ?? "")),
];
