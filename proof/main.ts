// npm run proof [part …]: the whole set of faults, and the table of docs/reliability.md.
//
//   --list   the parts, and what was found when they were last run
//   --quick  small counts, to see that a part works; publishes nothing
//   --again  also the parts that were run for this commit already
//   --page   only write the page, with what is known
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { PARTS } from "./parts/all.ts";
import { writePage } from "./support/page.ts";
import type { Part, World } from "./support/part.ts";
import { keepResult, keepUnfinished, provedCommit, readResults, readUnfinished } from "./support/results.ts";
import { changedInGit, whyStale } from "./support/stale.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
    seed: { type: "string", default: "20261117" },
  },
});

// So that what is mounted, and made, goes with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) fail(`There is no part "${unknown.join('", "')}".\nhint: npm run proof -- --list`);
const wanted = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (values.list) list();
else if (!values.page) await runAll();
if (!values.quick && !values.list) writePage(PARTS, readResults(), changedInGit);

async function runAll(): Promise<void> {
  const failed: string[] = [];
  for (const part of wanted) if (!(await runPart(part))) failed.push(part.name);
  if (failed.length > 0) fail(`Failed: ${failed.join(", ")}`);
}

async function runPart(part: Part): Promise<boolean> {
  const commit = provedCommit();
  const known = readResults()[part.name];
  if (!values.again && !values.quick && known?.commit === commit) {
    say(part, `was run for ${commit} already`);
    return true;
  }
  const whyNot = part.whyNot?.();
  if (whyNot !== undefined) {
    say(part, `NOT RUN: ${whyNot}`);
    return true;
  }
  const started = performance.now();
  const world = makeWorld(part, commit);
  const tidy = () => {
    for (const folder of [world.folder, world.memory]) rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", tidy);
  try {
    const rows = await part.run(world);
    const seconds = Math.round((performance.now() - started) / 1000);
    for (const { fault, count, outcome, control } of rows)
      say(part, `${fault}: ${count}: ${outcome}${control === undefined ? "" : ` (control: ${control})`}`);
    say(part, `done in ${seconds} s`);
    if (!world.isQuick) keepResult(part.name, { commit, seed: world.seed, seconds, rows });
    return true;
  } catch (error) {
    say(
      part,
      `FAILED (seed ${world.seed}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return false;
  } finally {
    process.off("exit", tidy);
    tidy();
  }
}

function makeWorld(part: Part, commit: string): World {
  const key = `${commit} ${values.seed}`;
  const memory = process.platform === "linux" ? "/dev/shm" : tmpdir();
  let last = 0;
  mkdirSync(tmpdir(), { recursive: true });
  return {
    seed: Number(values.seed),
    isQuick: values.quick,
    folder: mkdtempSync(join(tmpdir(), "cairn-proof-")),
    memory: mkdtempSync(join(memory, "cairn-proof-")),
    progress: (text) => {
      if (performance.now() - last < 5000) return;
      last = performance.now();
      say(part, text);
    },
    recall: () => (values.again || values.quick ? undefined : readUnfinished(part.name, key)),
    keep: (state) => (values.quick ? undefined : keepUnfinished(part.name, key, state)),
  };
}

function list(): void {
  const results = readResults();
  for (const { name, about, proves } of PARTS) {
    console.log(`${name.padEnd(14)} ${about}`);
    const known = results[name];
    if (known === undefined) continue;
    const stale = whyStale(known.commit, proves, changedInGit);
    const mark = stale === undefined ? "" : `; stale: ${stale}`;
    console.log(`${" ".repeat(15)}(last run for ${known.commit}, ${known.seconds ?? "?"} s${mark})`);
  }
}

function say({ name }: Part, text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${name}: ${text}`);
}

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(1);
}
