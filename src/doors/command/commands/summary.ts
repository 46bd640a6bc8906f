import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import * as verbs from "../../../work/project/reading/summary.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import type { CommandOf, CommandOptions } from "../command.ts";

type SummaryOptions = CommandOptions<"summary">;

export const summary: CommandOf<"summary"> = async (context, options, output) => {
  const { plain, ...input } = options;
  const format = plain ? "plain" : "markdown";
  const result = await repeating(options, () => verbs.summary(context.project, { ...input, format }));
  output.result(result, result.text.trimEnd());
};

/** The suggested budget holds only together with the other options, so the hint repeats them. */
async function repeating<Result>(options: SummaryOptions, make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (!isCheckpointError(error, "budget")) throw error;
    const { code, message, details } = error;
    throw new CheckpointError(code, message, { hint: `${error.hint}${typed(options)}`, details });
  }
}

/** The options that decide what is in the text, as typed. */
function typed({ id, for: task, keys, trail, plain }: SummaryOptions): string {
  const words = [
    id && shellWord(id),
    task && `--for ${shellWord(task)}`,
    keys.length > 0 && `--keys ${shellWord(keys.join(","))}`,
    plain && "--plain",
    trail && `--trail ${trail}`,
  ];
  return words
    .filter(Boolean)
    .map((word) => ` ${word}`)
    .join("");
}
