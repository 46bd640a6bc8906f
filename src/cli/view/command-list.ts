import { wrap } from "../columns.ts";
import type { NextCommand } from "../../project/next-command.ts";
import type { Output } from "../output.ts";

/** Commands to type next, each with what it is for: beside it if there is room for all, else below. */
export function commandList(
  commands: readonly NextCommand[],
  { style, columns = Number.POSITIVE_INFINITY }: Output,
  title = "To go on",
): string {
  const width = Math.max(...commands.map(({ command }) => command.length));
  const isBeside = commands.every(({ why }) => width + why.length + 6 <= columns);
  const lines = commands.map(({ command, why }) =>
    isBeside
      ? `  ${style.cyan(command.padEnd(width))}  ${style.dim(`# ${why}`)}`
      : `  ${style.cyan(command)}\n      ${style.dim(wrap(`# ${why}`, columns - 6).replaceAll("\n", "\n      # "))}`,
  );
  return [style.bold(title), ...lines].join("\n");
}
