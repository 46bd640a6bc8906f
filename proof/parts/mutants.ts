import { spawn } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { MUTANTS } from "../mutants/all.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { atLeast, none, number, type Part, type World } from "../support/part.ts";
import { mutate } from "../support/programs.ts";

const root = resolve(import.meta.dirname, "../..");

/** What the tests need beside the sources. */
const COPIED = [
  "src",
  "tests",
  "scripts",
  "bin",
  "dist",
  "schemas",
  "templates",
  "plugin",
  "examples",
  "docs",
];
const FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "vitest.config.ts",
];

/** On a busy machine a test that is slow must not pass for one that noticed something. */
const PATIENT = ["--testTimeout", "600000", "--hookTimeout", "600000"];

export const mutants: Part = {
  name: "mutants",
  about: "each guard taken away, one at a time: a test must notice",
  proves: ["proof/mutants", ...new Set(MUTANTS.map(({ file }) => file))],
  run: async (world) => {
    const chosen = world.isQuick ? MUTANTS.slice(0, 2) : MUTANTS;
    const copy = join(world.folder, "copy");
    for (const name of [...COPIED, ...FILES]) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const killed = new Set((world.recall() as string[] | undefined) ?? []);
    const healthy = new Set<string>();
    const survivors: string[] = [];
    for (const mutant of chosen) {
      if (killed.has(mutant.guard)) continue;
      await assertHealthy(copy, mutant, healthy);
      if (await isNoticed(world, copy, mutant)) killed.add(mutant.guard);
      else survivors.push(mutant.guard);
      world.keep([...killed]);
      world.progress(`${killed.size} killed, ${survivors.length} survived: ${mutant.guard}`);
    }
    none(survivors, "a guard was taken away, and no test noticed");
    atLeast(world.isQuick ? 2 : 60, killed.size, "mutants");
    return [
      {
        fault:
          "a guard of our own taken away: sync, hash, compare-and-swap, lock, mark, fence, redaction, owner, links, the gate, remotes, the page, workers",
        count: `${number(killed.size)} mutants`,
        outcome: "all killed by a test",
        control: "the same tests without a mutant: all pass",
      },
    ];
  },
};

/** The tests run, and pass while nothing is broken. */
async function assertHealthy(copy: string, { tests, only }: Mutant, healthy: Set<string>): Promise<void> {
  const key = JSON.stringify([tests, only]);
  if (healthy.has(key)) return;
  const { status, output } = await runVitest(copy, tests, only);
  if (status !== 0) throw new Error(`Tests fail without any mutant:\n${failureIn(output)}`);
  // Where PostgreSQL or a browser is missing, or a test has another name by now, nothing could notice anything.
  if (!/Tests .*passed/.test(output)) throw new Error(`No test ran: ${key}\n${output.slice(-3000)}`);
  healthy.add(key);
}

/** What vitest says of the tests that failed, without the list of those that did not. */
function failureIn(output: string): string {
  const at = output.indexOf("Failed Tests");
  return at === -1 ? output.slice(-3000) : output.slice(at, at + 3000);
}

async function isNoticed(world: World, copy: string, mutant: Mutant): Promise<boolean> {
  const path = join(copy, mutant.file);
  const whole = readFileSync(path, "utf8");
  try {
    writeFileSync(path, mutate(whole, mutant));
    if (mutant.isBuilt) await bundle(copy, mutant);
    const { status, output } = await runVitest(copy, mutant.tests, mutant.only);
    // A mutant that does not even compile is not noticed by a test.
    if (/Transform failed|SyntaxError|No test files found/.test(output))
      throw new Error(`${mutant.guard}:\n${output}`);
    // Neither is one that only made a busy machine run out of time.
    if (/Test timed out in/.test(output)) throw new Error(`${mutant.guard}:\n${failureIn(output)}`);
    return status !== 0 && /Tests .*failed/.test(output);
  } finally {
    writeFileSync(path, whole);
    if (mutant.isBuilt) cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
    world.progress(mutant.guard);
  }
}

/** Builds what the file is part of: the page that browsers load, or the command. */
async function bundle(copy: string, { file }: Mutant): Promise<void> {
  const isPage = file.startsWith("src/doors/page/browser/");
  const script = isPage ? ["scripts/bundle-page.ts", "dist/page"] : ["scripts/bundle-command.ts", "dist/cli"];
  const { status, output } = await run(copy, script);
  if (status !== 0) throw new Error(`${script[0]} failed:\n${output}`);
}

async function runVitest(copy: string, tests: readonly string[], only?: string) {
  const filter = only === undefined ? [] : ["-t", only];
  return run(copy, ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", ...PATIENT, ...tests, ...filter]);
}

async function run(cwd: string, args: readonly string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1" },
    timeout: 900_000,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const status = await new Promise<number | null>((ended) => child.once("close", ended));
  return { status, output };
}
