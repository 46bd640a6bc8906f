import { oneLine } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { askLine, askYesNo } from "./ask.ts";
import type { Unfinished } from "../../project/looking/unfinished.ts";
import { severalUnfinished, unfinishedText } from "./unfinished-text.ts";

/**
 * Which of the unfinished things to go on with: the only one, or the one that the user picks. Undefined when the user
 * picks none; an error when there is no terminal to ask on.
 */
export async function pickUnfinished(
  context: Context,
  list: readonly Unfinished[],
  { isSure }: { readonly isSure: boolean },
  output: Output,
): Promise<Unfinished | undefined> {
  const [only] = list;
  const { messageStyle: style, columns } = output;
  const text = () => unfinishedText(list, { style, columns }, context.now());
  if (list.length > 1) {
    if (!context.isInteractive) throw severalUnfinished(list, text());
    output.message(text());
    return choose(context, list, output);
  }
  if (only === undefined || only.kind !== "run" || isSure || !context.isInteractive) return only;
  output.message(text());
  const isMeant = await askYesNo(context, output, `Resume from ${oneLine(only.next) || "the end"}?`);
  return isMeant ? only : undefined;
}

async function choose(
  context: Context,
  list: readonly Unfinished[],
  output: Output,
): Promise<Unfinished | undefined> {
  for (;;) {
    const answer = await askLine(context, output, `Go on with which? [1-${list.length}, Enter for none] `);
    if (answer === undefined || answer.trim() === "") return undefined;
    const found = /^\d{1,4}$/.test(answer.trim()) ? list[Number(answer) - 1] : undefined;
    if (found !== undefined) return found;
  }
}
