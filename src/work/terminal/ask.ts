import type { CheckpointError } from "../../core/errors.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import { lastPart, widthOf, wrap } from "./columns.ts";
import { oneLine } from "../../core/text/visible.ts";
import { LineInput } from "./line-input.ts";

/** What is left for the answer beside the last row of a question. */
const ANSWER_COLUMNS = 10;

/** Asks for a line on the terminal. Undefined when the user declines with Ctrl-D. */
export async function askLine(
  { terminal }: Context,
  output: Output,
  prompt: string,
  { isSecret = false } = {},
): Promise<string | undefined> {
  const input = new LineInput();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // Only one row can be drawn again, so the rows of a long question come first.
  const { columns } = terminal.size();
  const rows = wrap(prompt, columns - ANSWER_COLUMNS).split("\n");
  const last = rows.pop() as string;
  output.draw(rows.map((row) => `${row}\n`).join(""));
  const show = () => {
    const typed = isSecret ? "" : lastPart(input.text, columns - widthOf(last) - 1);
    output.draw(`\r\u{1b}[K${last}${typed}`);
  };
  show();
  const stop = terminal.readKeys((keys) => {
    const state = input.type(keys);
    show();
    if (state === "entered") resolve(input.text);
    if (state === "left") resolve(undefined);
  });
  try {
    return await promise;
  } finally {
    stop();
    output.draw("\n");
  }
}

/** Whether something that cannot be undone is wanted. Throws `refusal` where nobody can be asked. */
export async function isConfirmed(
  context: Context,
  output: Output,
  question: string,
  refusal: CheckpointError,
): Promise<boolean> {
  if (!context.isInteractive || output.json) throw refusal;
  const isWanted = await askYesNo(context, output, question, { enter: false });
  if (!isWanted) output.message("Nothing was changed.");
  return isWanted;
}

/** Asks a question that is answered with yes or no; Enter is the answer in capitals. */
export async function askYesNo(
  context: Context,
  output: Output,
  question: string,
  { enter = true } = {},
): Promise<boolean> {
  const { bold } = output.messageStyle;
  const prompt = `${bold(question)} [${enter ? "Y/n" : "y/N"}] `;
  const answers = new Map([
    ["", enter],
    ["y", true],
    ["yes", true],
    ["n", false],
    ["no", false],
  ]);
  // Ctrl-D is never a yes.
  return (await askUntil(context, output, prompt, (answer) => answers.get(answer.toLowerCase()))) ?? false;
}

/** Asks again until the answer can be understood. Undefined when the user declines with Ctrl-D. */
export async function askUntil<Meaning>(
  context: Context,
  output: Output,
  prompt: string,
  meaningOf: (answer: string) => Meaning | undefined,
): Promise<Meaning | undefined> {
  for (;;) {
    const answer = (await askLine(context, output, prompt))?.trim();
    const meant = answer === undefined ? undefined : meaningOf(answer);
    if (answer === undefined || meant !== undefined) return meant;
    output.message(`"${oneLine(answer)}" is not an answer here.`);
  }
}
