import { fit } from "../columns.ts";
import type { Step as NextCommand } from "../go-on.ts";
import type { Output } from "../output.ts";

/** Commands to type next, each with what it is for. */
export function commandList(commands: readonly NextCommand[], { style, columns }: Output): string {
  const width = Math.max(...commands.map(({ command }) => command.length));
  const lines = commands.map(({ command, why }) => {
    const room = columns && Math.max(columns - width - 8, 16);
    return `  ${style.cyan(command.padEnd(width))}  ${style.dim(`# ${fit(why, room)}`)}`;
  });
  return [style.bold("To go on"), ...lines].join("\n");
}
