import { readFileSync, writeFileSync } from "node:fs";

import type { Part } from "./part.ts";
import type { Result } from "./results.ts";

const PAGE = "docs/reliability.md";
const BEGIN = "<!-- proof: written by npm run proof -->";
const END = "<!-- end of proof -->";

/** Writes the table of results. The rest of the page is prose, and stays. */
export function writePage(parts: readonly Part[], results: Readonly<Record<string, Result>>): void {
  const text = readFileSync(PAGE, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${PAGE} lacks the lines between which the table goes.`);
  const rows = parts.flatMap(({ name }) => (results[name] ? rowsOf(name, results[name]) : []));
  const missing = parts.filter(({ name }) => results[name] === undefined).map(({ name }) => name);
  const lines = [
    BEGIN,
    "",
    "| part | fault | how many | outcome | control | commit, seed |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    ...(missing.length > 0 ? ["", `Not run here yet: ${missing.join(", ")}.`] : []),
    "",
  ];
  writeFileSync(PAGE, text.slice(0, begin) + lines.join("\n") + text.slice(end));
}

function rowsOf(name: string, { commit, seed, rows }: Result): string[] {
  return rows.map(
    ({ fault, count, outcome, control = "" }) =>
      `| ${name} | ${fault} | ${count} | ${outcome} | ${control} | ${commit}, ${seed} |`,
  );
}
