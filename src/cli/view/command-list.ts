import { fit } from "../columns.ts";
import type { NextCommand } from "../../project/next-command.ts";
import type { Output } from "../output.ts";

/** Fewer columns say nothing. */
const MIN_COLUMNS = 16;

/** Commands to type next, each with what it is for. */
export function commandList(
  commands: readonly NextCommand[],
  { style, columns }: Output,
  title = "To go on",
): string {
  const width = Math.max(...commands.map(({ command }) => command.length));
  const room = columns && columns - width - 7;
  // On a narrow terminal the reason goes below the command.
  const isNarrow = room !== undefined && room < MIN_COLUMNS;
  const lines = commands.map(({ command, why }) => {
    const note = style.dim(`# ${isNarrow ? why : fit(why, room)}`);
    return isNarrow
      ? `  ${style.cyan(command)}\n      ${note}`
      : `  ${style.cyan(command.padEnd(width))}  ${note}`;
  });
  return [style.bold(title), ...lines].join("\n");
}
