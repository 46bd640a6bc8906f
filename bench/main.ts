// npm run bench [-- names of figures]: measures the store, prints tables, and, when everything ran, writes docs/benchmarks.md.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildCorpus } from "./corpus.ts";
import type { Figure } from "./figure.ts";
import { STORE_FIGURES } from "./figures.ts";
import { isInMemory, openWorkPlace } from "./folders.ts";
import { describeMachine } from "./machine.ts";
import { openProgress } from "./progress.ts";
import { renderReport, type Measured } from "./report.ts";
import { openStores } from "./stores.ts";
import { plainTable } from "./table.ts";

const REPORT = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));

const figures = selected(process.argv.slice(2));
const place = openWorkPlace();
if (isInMemory(place.fileSystem)) console.error(`bench: "${place.folder}" is on ${place.fileSystem}: times of durable commits will be void.`);
const started = performance.now();
const machine = describeMachine(place.fileSystem);
const corpus = buildCorpus();
const progress = openProgress();
const stores = openStores(corpus, place);

const measured: Measured[] = [];
for (const figure of figures) {
  const rows = await figure.measure({ corpus, place, progress, stores });
  measured.push({ figure, rows });
  progress.clear();
  console.log(`${figure.title}\n${plainTable(rows)}\n`);
}

if (figures.length === STORE_FIGURES.length) {
  const seconds = (performance.now() - started) / 1000;
  writeFileSync(REPORT, renderReport({ machine, corpus, measured, seconds }));
  console.error("bench: wrote docs/benchmarks.md");
}
const missed = measured.flatMap(({ rows }) => rows).filter(({ verdict }) => verdict === "MISSED");
if (missed.length > 0) console.error(`bench: ${missed.length} figures missed what they must reach.`);
process.exit(missed.length > 0 ? 1 : 0);

function selected(names: readonly string[]): readonly Figure[] {
  if (names.length === 0 || names.includes("store")) return STORE_FIGURES;
  const unknown = names.find((name) => !STORE_FIGURES.some((figure) => figure.name === name));
  if (unknown === undefined) return STORE_FIGURES.filter(({ name }) => names.includes(name));
  console.error(`bench: there is no figure "${unknown}". Choose of: store, ${STORE_FIGURES.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
