// npm run bench:peers [-- rounds]: CairnSaver beside the official checkpointers of LangGraph. Prints a table, and writes it with
// charts into docs/benchmarks.md.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installedPeers, installProduct, LANGGRAPH } from "../../scripts/peers.ts";
import { findPostgres, startServer } from "../../tests/postgres/support/server.ts";
import { buildCorpus, MESSAGE_BLOCK_CHARS, readText } from "../corpus.ts";
import { changedScalars, INITIAL_SCALARS, newMessage, type Scalars } from "../messages.ts";
import { seededRandom } from "../random.ts";
import { markdownTable, plainTable } from "../table.ts";
import { barsChart, linesChart } from "./charts.ts";
import { bytesRows, rowsOf, strictTable, timeBars, type Results } from "./rows.ts";
import { withPeers } from "./section.ts";

const DOCS = fileURLToPath(new URL("../../docs/", import.meta.url));
const rounds = Number(process.argv[2] ?? 7);
const started = performance.now();

const folder = installedPeers(LANGGRAPH);
installProduct(folder);
cpSync(new URL(".", import.meta.url), join(folder, "peers"), { recursive: true });
const place = mkdtempSync(join(tmpdir(), "cairn-bench-peers-"));
const programs = findPostgres();
const server = programs === undefined ? undefined : await startServer(programs, { fsync: true });
const env = {
  ...process.env,
  CAIRN_BENCH_PG_URL: server?.url ?? "",
  CAIRN_BENCH_MESSAGES: writeMessages(join(place, "messages.json")),
};

const [CAIRN, NORMAL, FULL] = ["CairnSaver", "SqliteSaver (NORMAL)", "SqliteSaver (FULL)"];
const all = [CAIRN, NORMAL, FULL, "MemorySaver"];
const postgres = server === undefined ? [] : ["PostgresSaver"];
const results: Results = {};
try {
  // Interleaved: what disturbs the machine for a while disturbs all of them.
  for (let round = 0; round < rounds; round++) {
    for (const name of all) measure(name, "line", { steps: 1000 });
    for (const name of [CAIRN, FULL]) measure(name, "line", { steps: 1000, kind: "AIMessages" });
    for (const name of [CAIRN, FULL]) measure(name, "line", { steps: 100 });
    for (const name of [CAIRN, FULL]) measure(name, "threads", { threads: 50, steps: 100 });
    for (const name of [CAIRN, FULL]) measure(name, "graph", { steps: 950 });
    for (const name of [CAIRN, FULL]) measure(name, "graph", { steps: 100, at: 50 });
    console.error(`bench: round ${round + 1} of ${rounds} after ${seconds()} s`);
  }
  for (const name of [CAIRN, FULL, "MemorySaver"]) measure(name, "line", { steps: 2000, reads: false });
  for (const name of ["MemorySaver"]) measure(name, "line", { steps: 100 });
  for (const name of postgres) for (const steps of [100, 1000]) measure(name, "line", { steps });
  for (const name of [CAIRN, FULL]) measure(name, "graph", { steps: 950, channel: "delta" });
  for (const name of [CAIRN, FULL, "MemorySaver", ...postgres]) strict(name);
  syncs();
} finally {
  await server?.stop();
  rmSync(place, { recursive: true, force: true });
}

const rows = rowsOf(results, rounds);
console.log(plainTable(rows));
const lines = bytesRows(results);
writeFileSync(
  join(DOCS, "images/peers-bytes.svg"),
  linesChart("Bytes of a thread that grows by 1 KB a step", lines),
);
writeFileSync(
  join(DOCS, "images/peers-times.svg"),
  barsChart("Processor time of CairnSaver, SqliteSaver = 1 (shorter is better)", timeBars(rows)),
);
const report = readFileSync(join(DOCS, "benchmarks.md"), "utf8");
writeFileSync(join(DOCS, "benchmarks.md"), withPeers(report, section()));
console.error("bench: wrote docs/benchmarks.md and its charts.");

function section(): string {
  return `## CairnSaver beside the official checkpointers of LangGraph

Written by \`npm run bench:peers\` in ${seconds()} s: medians of ${rounds} interleaved rounds, each measurement in a process of its own. Ratios are
to SqliteSaver in the same round unless the row says otherwise; CPU is user and system time of the process. LangGraph ${LANGGRAPH.packages["@langchain/langgraph"]},
SqliteSaver ${LANGGRAPH.packages["@langchain/langgraph-checkpoint-sqlite"]} on better-sqlite3 ${LANGGRAPH.packages["better-sqlite3"]}, PostgresSaver ${LANGGRAPH.packages["@langchain/langgraph-checkpoint-postgres"]}. SqliteSaver does not sync its steps by default (NORMAL); FULL is what CairnSaver promises. Messages are real text of about 1 KB; *ideal* is the JSON of the new data alone. \`list(20)\` is called three times on one saver, and CairnSaver keeps what the last call read: two of the three calls are warm.

![Bytes of a thread over its steps](images/peers-bytes.svg)

![Processor time beside SqliteSaver](images/peers-times.svg)

${markdownTable(rows)}

Which of the tests of \`testSaver\` each of them passes:

${strictTable(results)}
`;
}

function measure(name: string, workload: string, options: object): void {
  const at = mkdtempSync(join(place, "run-"));
  const key = `${workload} ${JSON.stringify(options)}`;
  try {
    const out = run("workloads.mjs", JSON.stringify({ workload, name, folder: at, ...options }));
    ((results[key] ??= {})[name] ??= []).push(out);
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

function strict(name: string): void {
  ((results["strict"] ??= {})[name] ??= []).push(run("strict.mjs", name));
}

/** Counted by strace, where there is one; what opening and closing take is counted by a run of one step. */
function syncs(): void {
  const count = (steps: number) => {
    const at = mkdtempSync(join(place, "run-"));
    const trace = join(at, "trace");
    const job = JSON.stringify({ workload: "graph", name: CAIRN, folder: at, steps });
    const strace = ["-f", "-e", "trace=fsync,fdatasync", "-o", trace, process.execPath];
    const { error } = spawnSync("strace", [...strace, join(folder, "peers/workloads.mjs"), job], { env });
    if (error) return Number.NaN;
    return readFileSync(trace, "utf8").match(/f(?:data)?sync\(/g)?.length ?? 0;
  };
  const each = (count(201) - count(1)) / 200;
  if (!Number.isNaN(each)) results["syncs"] = { [CAIRN]: [{ each }] };
}

function run(script: string, argument: string): never {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "peers", script), argument], {
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${script} ${argument} failed:\n${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as never;
}

function writeMessages(path: string): string {
  const random = seededRandom(7);
  const text = readText(buildCorpus(), MESSAGE_BLOCK_CHARS, 3);
  const messages = Array.from({ length: 2000 }, (_, step) => newMessage(step, text, random));
  const { step: _step, updated_at: _at, tokens_used: _used, ...fixed } = INITIAL_SCALARS;
  let scalars: Scalars = INITIAL_SCALARS;
  const changing = messages.map((_, step) => {
    const changed = changedScalars(step + 1, scalars, random);
    scalars = { ...scalars, ...changed };
    return changed;
  });
  writeFileSync(path, JSON.stringify({ messages, scalars: { fixed, changing } }));
  return path;
}

function seconds(): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}
