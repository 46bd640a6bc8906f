import { atLeast, atMost, info, type Bounds, type Row } from "../figure.ts";
import type { Line } from "./charts.ts";

interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

interface Result {
  readonly [figure: string]: unknown;
  readonly bytes?: number;
  readonly ideal?: number;
}

/** By workload, then by saver: one result a round. */
export type Results = Record<string, Record<string, Result[]>>;

const [CAIRN, NORMAL, FULL] = ["CairnSaver", "SqliteSaver (NORMAL)", "SqliteSaver (FULL)"] as const;
const LINE = (steps: number) => `line {"steps":${steps}}`;
const [LINE_AI, LINE_2000] = [`line {"steps":1000,"kind":"AIMessages"}`, `line {"steps":2000,"reads":false}`];
const [GRAPH, DELTA] = [`graph {"steps":950}`, `graph {"steps":950,"channel":"delta"}`];
const [THREADS, AT_ONCE] = [`threads {"threads":50,"steps":100}`, `graph {"steps":100,"at":50}`];

/** The table: what is promised, what was aimed at, what was measured. */
export function rowsOf(results: Results, rounds: number): Row[] {
  const rows: Row[] = [];
  const bloat = (workload: string, name: string = CAIRN) => {
    const { bytes = 0, ideal = 1 } = results[workload]?.[name]?.[0] ?? {};
    return bytes / ideal;
  };
  const size = (what: string, workload: string, bounds: Bounds) =>
    rows.push(
      atMost(
        `bytes / ideal, ${what}`,
        bloat(workload),
        bounds,
        `SqliteSaver ${bloat(workload, FULL).toFixed(0)}`,
      ),
    );
  size("direct, N = 1,000", LINE(1000), { must: 1.6, aim: 1.2 });
  size("direct, N = 2,000", LINE_2000, { must: 1.6, aim: 1.2 });
  size("real graph, N = 950, plain channels", GRAPH, { must: 2.6, aim: 1.8 });
  rows.push(
    info(
      "bytes / ideal, real graph, N = 950, DeltaChannel (opt-in)",
      bloat(DELTA).toFixed(2),
      `SqliteSaver ${bloat(DELTA, FULL).toFixed(2)}`,
    ),
  );
  const bytesOf = (workload: string) => results[workload]?.[CAIRN]?.[0]?.bytes ?? 1;
  const exponent = Math.log2(bytesOf(LINE_2000) / bytesOf(LINE(1000)));
  rows.push(
    atMost(
      "growth exponent of bytes, 1,000 to 2,000 steps",
      exponent,
      { must: 1.06, aim: 1.02, digits: 3 },
      "1 is a line",
    ),
  );
  const ratio = (
    figure: string,
    place: readonly [workload: string, part: string, other: string],
    bounds?: Bounds,
  ) => {
    const { value, from } = medianRatio(results, place);
    rows.push(bounds ? atMost(figure, value, bounds, from) : info(figure, value.toFixed(2), from));
  };
  ratio("put CPU, N = 1,000, to NORMAL", [LINE(1000), "put", NORMAL], { must: 0.55, aim: 0.3 });
  ratio("put CPU, N = 1,000, to FULL", [LINE(1000), "put", FULL], { must: 0.5, aim: 0.3 });
  ratio("put CPU, N = 1,000, AIMessages", [LINE_AI, "put", FULL]);
  ratio("put CPU, 50 × 100", [THREADS, "put", FULL], { must: 1.5, aim: 1 });
  ratio("put CPU, N = 100", [LINE(100), "put", FULL]);
  ratio("getTuple CPU, N = 1,000", [LINE(1000), "get", FULL], { must: 0.25, aim: 0.1 });
  ratio("getTuple CPU, N = 1,000, AIMessages", [LINE_AI, "get", FULL], { must: 0.1, aim: 0.05 });
  ratio("getTuple CPU, a saver just opened", [LINE(1000), "cold", FULL], { must: 2, aim: 1.3 });
  ratio("list(20) CPU, N = 1,000, median of three calls in a row", [LINE(1000), "list", FULL], {
    must: 0.15,
    aim: 0.08,
  });
  ratio("list(20) CPU, N = 1,000, AIMessages, the same", [LINE_AI, "list", FULL]);
  ratio("graph step CPU, N = 950", [GRAPH, "step", FULL], { must: 0.6, aim: 0.33 });
  const rates = (name: string) =>
    (results[AT_ONCE]?.[name] ?? []).map((each) => each["stepsPerSecond"] as number);
  const faster = rates(CAIRN).map((rate, at) => rate / (rates(FULL)[at] ?? rate));
  const perSecond = (name: string) => `${median(rates(name)).toFixed(0)} a second`;
  rows.push(
    atLeast(
      "50 threads at once, steps a second",
      median(faster),
      { must: 1.2, aim: 2 },
      `${perSecond(CAIRN)} / ${perSecond(FULL)}`,
    ),
  );
  const syncs = results["syncs"]?.[CAIRN]?.[0]?.["each"] as number | undefined;
  if (syncs !== undefined)
    rows.push(
      atMost("syncs a graph step", syncs, { must: 1.15, aim: 1 }, "counted by strace over 200 steps"),
    );
  const remove = (results[THREADS]?.[CAIRN] ?? []).map((each) => (each["remove"] as Cost).cpu);
  rows.push(
    atMost(
      "deleteThread, one of 50 × 100, CPU",
      median(remove),
      { must: 20, aim: 5, unit: " ms" },
      `${rounds} rounds of five`,
    ),
  );
  return rows;
}

/** The bars of the chart: rows that are ratios of processor time. */
export function timeBars(rows: readonly Row[]): { name: string; ratio: number }[] {
  return rows
    .filter(({ figure }) => /\bCPU\b/.test(figure) && !figure.startsWith("deleteThread"))
    .map(({ figure, measured }) => ({ name: figure.replace(" CPU", ""), ratio: Number(measured) }));
}

export function bytesRows(results: Results): Line[] {
  const colours: Record<string, string> = {
    [CAIRN]: "#2da44e",
    [FULL]: "#cf222e",
    PostgresSaver: "#0969da",
    MemorySaver: "#8250df",
  };
  const steps: readonly (readonly [number, string])[] = [
    [100, LINE(100)],
    [1000, LINE(1000)],
    [2000, LINE_2000],
  ];
  return Object.entries(colours).flatMap(([name, colour]) => {
    const points = steps.flatMap(([count, workload]) => {
      const bytes = results[workload]?.[name]?.[0]?.bytes;
      return bytes === undefined ? [] : [[count, bytes] as const];
    });
    return points.length === 0 ? [] : [{ name: name.replace(" (FULL)", ""), colour, points }];
  });
}

/** Which tests of the stricter suite each saver passes. */
export function strictTable(results: Results): string {
  const all = Object.entries(results["strict"] ?? {});
  const names = all.map(([name]) => name.replace(" (FULL)", ""));
  const failed = all.map(([, [result]]) => new Set(result?.["failed"] as string[]));
  const counts = all.map(
    ([, [result]], at) =>
      `${(result?.["all"] as number) - (failed[at]?.size ?? 0)} of ${result?.["all"] as number}`,
  );
  const tests = [...new Set(failed.flatMap((each) => [...each]))];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...names]),
    line(["---", ...names.map(() => "---")]),
    line(["**passes**", ...counts]),
    ...tests.map((test) => line([test, ...failed.map((each) => (each.has(test) ? "no" : "yes"))])),
  ].join("\n");
}

function medianRatio(
  results: Results,
  [workload, part, other]: readonly [workload: string, part: string, other: string],
): { value: number; from: string } {
  const costs = (name: string) => (results[workload]?.[name] ?? []).map((each) => each[part] as Cost);
  const [ours, theirs] = [costs(CAIRN), costs(other)];
  const ratios = ours.map(({ cpu }, at) => cpu / (theirs[at]?.cpu ?? cpu));
  const text = (all: readonly Cost[]) =>
    `${median(all.map(({ cpu }) => cpu)).toFixed(2)} ms (wall ${median(all.map(({ wall }) => wall)).toFixed(2)})`;
  return { value: median(ratios), from: `${text(ours)} / ${text(theirs)}` };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
