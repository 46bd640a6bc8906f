// The figures of handoffs, measured:  node bench/handoff/main.ts [--quick] [--counter "claude=<program>"]
// --counter names an outside program that counts tokens (see counters.ts).
import { LEVELS } from "../../src/work/handoff/items/levels.ts";
import { budgetFigures } from "./budget-figures.ts";
import { buildCorpus } from "./corpus.ts";
import { realCounters, type CountedFamily } from "./counters.ts";
import { estimatorFigures } from "./estimator-figures.ts";
import { hostileFigures } from "./hostile-figures.ts";
import { recallFigures } from "./opponents.ts";
import { recordedFigures } from "./recorded.ts";
import { nestingFigures, speedFigures } from "./stability-figures.ts";
import { wordlessFigures } from "./wordless-figures.ts";

const args = process.argv.slice(2);
const isQuick = args.includes("--quick");
const seeds = Array.from({ length: isQuick ? 100 : 1000 }, (_, index) => index + 1);
const counters = realCounters(args);
const families: readonly CountedFamily[] = ["claude", "gpt", "gemini", "claude-3"];

/** Prints a table in Markdown. */
function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`\n## ${title}\n\n| ${head.join(" | ")} |\n|${" --- |".repeat(head.length)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
}

function percent(share: number, digits = 1): string {
  return Number.isNaN(share) ? "not counted" : `${(share * 100).toFixed(digits)} %`;
}

function printBudget(): void {
  const rows = families.map((family) => {
    const counter = counters.find((each) => each.family === family);
    const figures = budgetFigures(seeds, family, counter);
    const levels = Object.values(LEVELS).map((level) => percent(figures.fill.get(level) ?? Number.NaN));
    return [
      family,
      figures.countedBy,
      String(figures.texts),
      Number.isNaN(figures.over) ? "not counted" : String(figures.over),
      percent(figures.closest),
      percent(figures.meanFill),
      ...levels,
      String(figures.essentialsMissing),
      String(figures.refused),
    ];
  });
  table(
    `Budget: ${seeds.length} seeded states × 4 levels`,
    [
      "family",
      "counted by",
      "texts",
      "over budget",
      "closest to the bound",
      "fill",
      ...Object.values(LEVELS).map(String),
      "essentials missing",
      "refused (7)",
    ],
    rows,
  );
}

function printRecall(): void {
  const gpt = counters.find((each) => each.family === "gpt")!;
  const rows = recallFigures(gpt, { budget: 1000, items: 124, states: isQuick ? 20 : 60 });
  table(
    "What is kept at 1,000 tokens (o200k) with 124 items",
    ["method", "critical facts", "value of everything else"],
    rows.map(({ name, critical, value }) => [name, percent(critical), percent(value)]),
  );
}

function printLaws(): void {
  // First of all, so that the very first call is one.
  const speed = speedFigures(isQuick ? 60 : 200);
  const nesting = nestingFigures(seeds.slice(0, 300));
  const hostile = hostileFigures();
  table(
    "Laws and time",
    ["figure", "measured"],
    [
      [
        `items missing at twice the budget (${nesting.doublings} doublings, any budget and family)`,
        String(nesting.missing),
      ],
      ["items in a shorter form at twice the budget", String(nesting.shorter)],
      ["reruns with other bytes", String(nesting.unstable)],
      [
        `hostile payloads (${hostile.payloads} in every field, ${hostile.texts} texts) that leave the fence`,
        String(hostile.escaped),
      ],
      ["… that reach the terminal raw", String(hostile.raw)],
      [
        `time for ${Math.round(speed.items)} items by the clock: median, 95th percentile`,
        `${speed.medianMs.toFixed(1)} ms, ${speed.p95Ms.toFixed(1)} ms`,
      ],
      [
        "… of processor time: median when warm, very first",
        `${speed.cpuMs.toFixed(1)} ms, ${speed.firstCpuMs.toFixed(0)} ms`,
      ],
    ],
  );
}

function printEstimator(): void {
  const corpus = buildCorpus();
  const rows = counters.flatMap((counter) =>
    estimatorFigures(counter, corpus).map((row) => [
      counter.family,
      row.category,
      String(row.texts),
      percent(row.mean),
      percent(row.p95),
      percent(row.bias),
      percent(row.aboveUpper),
    ]),
  );
  table(
    "Estimator on text it was not fitted on",
    ["family", "text", "pieces", "mean error", "95th percentile", "bias", "above the bound"],
    rows,
  );
}

function printWordless(): void {
  const rows = counters.map((counter) => {
    const figures = wordlessFigures(counter);
    return [
      counter.family,
      `${figures.texts} of ${figures.kinds} kinds`,
      String(figures.above),
      percent(figures.closest),
      percent(figures.madeUp),
      String(figures.briefings),
      String(figures.over),
      percent(figures.fill),
    ];
  });
  table(
    "Text without words: random letters, keys, marks, scripts, emoji",
    [
      "family",
      "texts",
      "above the bound",
      "closest to it",
      "made-up words",
      "briefings",
      "over budget",
      "fill",
    ],
    rows,
  );
}

function printRecorded(): void {
  const rows = (["claude", "claude-3"] as const).map((family) => {
    const { texts, over, closest, fill } = recordedFigures(family);
    return [family, String(texts), String(over), percent(closest), percent(fill)];
  });
  table("Recorded briefings", ["family", "texts", "above the bound", "closest to it", "mean"], rows);
}

printLaws();
printRecorded();
printWordless();
printRecall();
printEstimator();
printBudget();
