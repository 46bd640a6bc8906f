// npm run build: the library by tsc into dist/, the command by esbuild into dist/cli/.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { buildSync } from "esbuild";
import { runTool, step } from "./steps.ts";

const COMMAND = "src/cli/main.ts";
const INPUTS = ["src", "scripts/build.ts", "package-lock.json", "tsconfig.json", "tsconfig.build.json"];
const LAST_OUTPUT = "dist/index.js";

export function build(): void {
  rmSync("dist", { recursive: true, force: true });
  if (existsSync(COMMAND)) bundleCommand();
  runTool("typescript", ["--project", "tsconfig.build.json"]);
}

export function isStale(): boolean {
  return !existsSync(LAST_OUTPUT) || newest(INPUTS) > statSync(LAST_OUTPUT).mtimeMs;
}

/** One file that starts fast; what a command needs rarely is a chunk of its own, loaded by `import()`. */
function bundleCommand(): void {
  buildSync({
    entryPoints: [COMMAND],
    outdir: "dist/cli",
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
  });
}

function newest(paths: readonly string[]): number {
  const files = paths.flatMap((path) => [
    path,
    ...(statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((name) => `${path}/${String(name)}`)
      : []),
  ]);
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

if (import.meta.main) step("build (tsc, esbuild)", build);
