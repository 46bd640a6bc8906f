import type { NextCommand } from "../project/next-command.ts";
import type { Output } from "./output.ts";

/** Commands to type, each with what it is for: beside it if there is room for all, else above. */
export function commandList(
  commands: readonly NextCommand[],
  { style, columns = Number.POSITIVE_INFINITY }: Pick<Output, "style" | "columns">,
  title = "To continue",
): string {
  const width = Math.max(...commands.map(({ command }) => command.length));
  const isBeside = commands.every(({ why }) => width + why.length + 6 <= columns);
  const lines = commands.map(({ command, why }) => {
    if (why === "") return `  ${style.cyan(command)}`;
    const comment = style.dim(`# ${why}`);
    return isBeside
      ? `  ${style.cyan(command.padEnd(width))}  ${comment}`
      : `  ${comment}\n  ${style.cyan(command)}`;
  });
  return [style.bold(title), ...lines].join("\n");
}
