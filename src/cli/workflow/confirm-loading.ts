import { resolve } from "node:path";
import { readBounded } from "../../capture/files/read-bounded.ts";
import { CheckpointError } from "../../errors.ts";
import { shellWord } from "../../text/shell-word.ts";
import { oneLine } from "../../text/visible.ts";
import { isModule } from "../../workflow/definition/is-module.ts";
import { MAX_DEFINITION_BYTES } from "../../workflow/definition/read-yaml.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { isConfirmed } from "./ask.ts";

interface DryRunOptions {
  readonly file?: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** The command without the file, to be typed again. */
  readonly command: string;
}

/**
 * Whether a dry run may load its workflow. A module has to run for that, which is more than a dry run promises: so it says what
 * would be loaded, and asks. Without a terminal it is refused unless `--yes` was given.
 */
export async function mayLoadForPlan(
  context: Context,
  { file, dryRun, yes, command }: DryRunOptions,
  output: Output,
): Promise<boolean> {
  if (!dryRun || yes || file === undefined || !isModule(file)) return true;
  const path = resolve(context.cwd, file);
  const { bytes } = readBounded(path, MAX_DEFINITION_BYTES);
  // What is not there says so itself.
  if (bytes === undefined) return true;
  const imported = importsOf(bytes.toString("utf8"));
  const words = [
    `"${oneLine(file)}" is a program: to plan its workflow, its code has to run. It would load:`,
    `  ${oneLine(path)}`,
    ...imported.map((name) => `  ${oneLine(name)}, which it imports`),
  ].join("\n");
  const refusal = new CheckpointError("refused", words, {
    hint: `Read it. If you want it to be loaded: ${command} ${shellWord(file)} --dry-run --yes`,
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
