import { readFileSync, writeFileSync } from "node:fs";

import type { Part } from "./part.ts";
import type { Result } from "./results.ts";
import { whyStale, type ChangedSince } from "./stale.ts";

const PAGE = "docs/reliability.md";
const BEGIN = "<!-- proof: written by npm run proof -->";
const END = "<!-- end of proof -->";

type Results = Readonly<Record<string, Result>>;
type ShownPart = Pick<Part, "name" | "proves">;

/** Writes the table of results. The rest of the page is prose, and stays. */
export function writePage(parts: readonly ShownPart[], results: Results, changedSince: ChangedSince): void {
  const text = readFileSync(PAGE, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${PAGE} lacks the lines between which the table goes.`);
  const lines = [BEGIN, "", ...tableOf(parts, results, changedSince), ""];
  writeFileSync(PAGE, text.slice(0, begin) + lines.join("\n") + text.slice(end));
}

/** The table in Markdown. Rows whose code has changed since they were run say so. */
export function tableOf(parts: readonly ShownPart[], results: Results, changedSince: ChangedSince): string[] {
  const rows = parts.flatMap(({ name, proves }) => {
    const result = results[name];
    return result === undefined ? [] : rowsOf(name, result, whyStale(result.commit, proves, changedSince));
  });
  const missing = parts.filter(({ name }) => results[name] === undefined).map(({ name }) => name);
  return [
    "| part | fault | how many | outcome | control | commit, seed |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    ...(missing.length > 0 ? ["", `Not run here yet: ${missing.join(", ")}.`] : []),
  ];
}

function rowsOf(name: string, { commit, seed, rows }: Result, stale: string | undefined): string[] {
  const mark = stale === undefined ? "" : `; **stale**: ${stale}`;
  return rows.map(
    ({ fault, count, outcome, control = "" }) =>
      `| ${name} | ${fault} | ${count} | ${outcome} | ${control} | ${commit}, ${seed}${mark} |`,
  );
}
