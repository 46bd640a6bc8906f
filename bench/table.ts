import type { Row } from "./figure.ts";

export const HEADINGS = ["figure", "must", "aim", "measured", "", "from"] as const;

export function cellsOf(row: Row): string[] {
  const verdict = row.verdict === "info" ? "" : row.verdict;
  return [row.figure, row.must ?? "", row.aim ?? "", row.measured, verdict, row.from];
}

/** Columns of equal width for a terminal. The last one is left ragged. */
export function plainTable(rows: readonly Row[]): string {
  const lines = [[...HEADINGS], ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function markdownTable(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(HEADINGS), line(HEADINGS.map(() => "---")), ...rows.map((row) => line(cellsOf(row)))].join(
    "\n",
  );
}
