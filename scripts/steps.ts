import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

/** Does `work` under its name, and prints how long it took. When it fails, its message is shown and the process ends. */
export async function step(name: string, work: () => Promise<void>): Promise<void> {
  await stepsAtOnce({ [name]: work });
}

/** The same for several that do not need each other. When one fails, the process ends after all of them. */
export async function stepsAtOnce(steps: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const done = await Promise.all(Object.entries(steps).map(([name, work]) => succeeds(name, work)));
  if (done.includes(false)) process.exit(1);
}

async function succeeds(name: string, work: () => Promise<void>): Promise<boolean> {
  const started = performance.now();
  const print = (outcome: string) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${name.padEnd(28)} ${outcome} (${seconds} s)`);
  };
  try {
    await work();
  } catch (error) {
    print("FAILED");
    console.log(error instanceof StepFailed ? `\n${error.message}\n` : error);
    return false;
  }
  print("ok");
  return true;
}

/** Runs an installed tool quietly. When it fails, throws with everything that it printed. */
export function runTool(packageName: string, args?: readonly string[], settings?: Settings): Promise<void> {
  return runScript(toolPath(packageName), args, settings);
}

/** Added to the environment. */
type Settings = Readonly<Record<string, string>>;

/** Runs a script with this Node, quietly. When it fails, throws with everything that it printed. */
export async function runScript(
  path: string,
  args: readonly string[] = [],
  settings: Settings = {},
): Promise<void> {
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: "1" }), ...settings };
  const child = spawn(process.execPath, [path, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  const [status, ...printed] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (status !== 0) throw new StepFailed(printed.join("").trimEnd());
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
