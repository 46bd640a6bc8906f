import { CheckpointError } from "../../../core/errors.ts";
import type { Unfinished } from "../../../work/project/reading/unfinished.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { fit } from "../../../work/terminal/columns.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { statusText } from "../../../work/terminal/signs.ts";
import { ago } from "../../../core/text/time.ts";
import { count } from "../../../work/state/words.ts";
import { askUntil, askYesNo } from "../../../work/terminal/ask.ts";

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
    const prompt = `Go on with which? [1-${list.length}, Enter for none] `;
    const numbered = (answer: string) => (/^\d{1,4}$/.test(answer) ? list[Number(answer) - 1] : undefined);
    const picked = await askUntil(context, output, prompt, (answer) =>
      answer === "" ? null : numbered(answer),
    );
    return picked ?? undefined;
  }
  if (only === undefined || only.kind !== "run" || isSure || !context.isInteractive) return only;
  output.message(text());
  const isMeant = await askYesNo(context, output, `Resume from ${oneLine(only.next) || "the end"}?`);
  return isMeant ? only : undefined;
}

/** Several things are unfinished, and there is no terminal to ask which is meant. */
function severalUnfinished(list: readonly Unfinished[], text: string): CheckpointError {
  return new CheckpointError("conflict", `${list.length} things are unfinished:\n${text}`, {
    hint: "Say which one, with its command.",
    details: { unfinished: list },
  });
}

const KINDS: Readonly<Record<Unfinished["kind"], readonly [name: string, unit: string]>> = {
  run: ["run", "step"],
  trail: ["trail", "task"],
  progress: ["progress file", "phase"],
};

/** What is unfinished, numbered: what was being done, how far it is, how long ago, and how to go on. */
export function unfinishedText(
  list: readonly Unfinished[],
  { style, columns }: Pick<Output, "style" | "columns">,
  now: Date,
): string {
  return list
    .map((item, index) => {
      const [kind, unit] = KINDS[item.kind];
      const number = `${index + 1}  `;
      const indent = " ".repeat(number.length);
      const far =
        item.total === 0 ? [] : [`${item.percent} %, ${item.completed} of ${count(item.total, unit)}`];
      return [
        `${number}${kind} ${style.bold(oneLine(item.name))}  ${statusText(item.status, style)}`,
        indent + [...far, ago(item.updated_at, now)].join(", "),
        ...(item.doing === "" ? [] : [indent + fit(oneLine(item.doing), columns && columns - indent.length)]),
        indent + style.cyan(oneLine(item.command)),
      ].join("\n");
    })
    .join("\n");
}
