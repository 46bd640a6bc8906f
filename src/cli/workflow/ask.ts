import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { LineInput } from "./line-input.ts";

/** Asks for a line on the terminal. Undefined when the user declines with Ctrl-D. */
export async function askLine(
  { terminal }: Context,
  output: Output,
  prompt: string,
  { isSecret = false } = {},
): Promise<string | undefined> {
  const input = new LineInput();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const show = () => output.draw(`\r\u{1b}[K${prompt}${isSecret ? "" : input.text}`);
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

/** Asks a question that is answered with yes or no; Enter is the answer in capitals. */
export async function askYesNo(
  context: Context,
  output: Output,
  question: string,
  { enter = true } = {},
): Promise<boolean> {
  const { bold } = output.messageStyle;
  const prompt = `${bold(question)} [${enter ? "Y/n" : "y/N"}] `;
  for (;;) {
    const answer = (await askLine(context, output, prompt))?.trim().toLowerCase();
    // Ctrl-D is never a yes.
    if (answer === undefined) return false;
    if (answer === "") return enter;
    if (["y", "yes"].includes(answer)) return true;
    if (["n", "no"].includes(answer)) return false;
  }
}
