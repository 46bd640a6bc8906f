import { table } from "./columns.ts";
import type { Output } from "./output.ts";

const SHOWN = 20;

/** What goes and what stays, the first of each; how many more there are. Each row is what follows its sign. */
export function removedAndKept(
  removed: readonly (readonly string[])[],
  kept: readonly (readonly string[])[],
  { style, columns }: Pick<Output, "style" | "columns">,
): string[] {
  const rows = [
    ...removed.slice(0, SHOWN).map((row) => [style.red("-"), ...row]),
    ...kept.slice(0, SHOWN).map((row) => [style.green("="), ...row]),
  ];
  const more = Math.max(0, removed.length - SHOWN) + Math.max(0, kept.length - SHOWN);
  return [
    ...(rows.length > 0 ? [table(rows, columns)] : []),
    ...(more > 0 ? [style.dim(`  + ${more} more: --json lists them all`)] : []),
  ];
}
