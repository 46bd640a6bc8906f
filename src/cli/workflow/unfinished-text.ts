import { CheckpointError } from "../../errors.ts";
import { oneLine } from "../../text/visible.ts";
import { fit } from "../columns.ts";
import type { Output } from "../output.ts";
import { statusText } from "../view/runs.ts";
import { ago } from "../view/time.ts";
import { count } from "../view/words.ts";
import type { Unfinished } from "../../project/looking/unfinished.ts";

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

/** Several things are unfinished, and there is no terminal to ask which is meant. */
export function severalUnfinished(list: readonly Unfinished[], text: string): CheckpointError {
  return new CheckpointError("conflict", `${list.length} things are unfinished:\n${text}`, {
    hint: "Say which one, with its command.",
    details: { unfinished: list },
  });
}
