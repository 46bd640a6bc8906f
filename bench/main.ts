// npm run bench [-- names of figures]: measures the store, prints tables, and, when everything ran, writes docs/benchmarks.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endChildren } from "./children.ts";
import { buildCorpus } from "./corpus.ts";
import type { Row } from "./figure.ts";
import { STORE_FIGURES } from "./figures.ts";
import { isInMemory, openWorkPlace } from "./folders.ts";
import { withPeersOf } from "./peers/section.ts";
import { describeMachine } from "./machine.ts";
import { openProgress } from "./progress.ts";
import { rawAppendNow } from "./raw-append.ts";
import { renderReport, type Measured } from "./report.ts";
import { openStores } from "./stores.ts";
import { plainTable } from "./table.ts";
import { timeAndCpu } from "./units.ts";

const REPORT = fileURLToPath(new URL("../docs/benchmarks.md", import.meta.url));

const names = process.argv.slice(2);
const unknown = names.find(
  (name) => name !== "store" && !STORE_FIGURES.some((figure) => figure.name === name),
);
if (unknown !== undefined) {
  const known = STORE_FIGURES.map(({ name }) => name).join(", ");
  console.error(`bench: there is no figure "${unknown}". Choose of: store (all of them), ${known}.`);
  process.exit(2);
}
const isComplete = names.length === 0 || names.includes("store");
const figures = isComplete ? STORE_FIGURES : STORE_FIGURES.filter(({ name }) => names.includes(name));

const place = openWorkPlace();
if (isInMemory(place.fileSystem))
  console.error(`bench: "${place.folder}" is on ${place.fileSystem}: times of durable commits will be void.`);
const started = performance.now();
const machine = describeMachine(place.fileSystem);
const corpus = buildCorpus();
const progress = openProgress();
const flushes = [timeAndCpu(await rawAppendNow(place.folder))];
const stores = openStores(corpus, place);

const measured: Measured[] = [];
for (const figure of figures) {
  const rows = await figure.measure({ corpus, place, progress, stores }).catch(failed);
  measured.push({ figure, rows });
  progress.clear();
  console.log(`${figure.title}\n${plainTable(rows)}\n`);
}

if (isComplete) {
  flushes.push(timeAndCpu(await rawAppendNow(place.folder)));
  const seconds = (performance.now() - started) / 1000;
  const report = renderReport({ machine, corpus, measured, flushes, seconds });
  writeFileSync(REPORT, withPeersOf(report, readFileSync(REPORT, "utf8")));
  console.error("bench: wrote docs/benchmarks.md");
}
const missed = measured.flatMap(({ rows }) => rows).filter(({ verdict }) => verdict === "MISSED");
if (missed.length > 0) console.error(`bench: ${missed.length} figures missed what they must reach.`);
process.exit(missed.length > 0 ? 1 : 0);

/** One figure that cannot be measured must not take the others with it; nor may it pass. */
function failed(error: unknown): Row[] {
  endChildren();
  console.error(error);
  return [{ figure: "could not be measured", measured: "failed", verdict: "MISSED", from: String(error) }];
}
