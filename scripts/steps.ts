import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Runs `work` under its name, and prints how long it took. When it throws, its message is shown and the process ends. */
export function step(name: string, work: () => void): void {
  process.stdout.write(`${name.padEnd(28)} `);
  const started = performance.now();
  try {
    work();
  } catch (error) {
    console.log(`FAILED ${secondsSince(started)}\n`);
    console.log(error instanceof StepFailed ? error.message : error);
    process.exit(1);
  }
  console.log(`ok ${secondsSince(started)}`);
}

/** Runs an installed tool quietly. When it fails, throws with everything that it printed. */
export function runTool(packageName: string, args: readonly string[] = []): void {
  runScript(toolPath(packageName), args);
}

/** Runs a script with this Node, quietly. When it fails, throws with everything that it printed. */
export function runScript(path: string, args: readonly string[] = []): void {
  const env = process.stdout.isTTY ? { ...process.env, FORCE_COLOR: "1" } : process.env;
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [path, ...args], {
    encoding: "utf8",
    env,
    maxBuffer: 64 * 2 ** 20,
  });
  if (error) throw error;
  if (status !== 0) throw new StepFailed(`${stdout}${stderr}`.trimEnd());
}

/** The JavaScript file behind a package's command. Run by path, it needs no shell and no `.cmd` on Windows. */
export function toolPath(packageName: string): string {
  const folder = `node_modules/${packageName}`;
  const { bin } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest;
  const file = typeof bin === "string" ? bin : Object.values(bin)[0];
  return `${folder}/${file}`;
}

interface Manifest {
  readonly bin: string | Record<string, string>;
}

class StepFailed extends Error {}

function secondsSince(started: number): string {
  return `(${((performance.now() - started) / 1000).toFixed(1)} s)`;
}
