// npm run build: the library by tsc into dist/, the command by esbuild into dist/cli/.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { runScript, runTool, step } from "./steps.ts";

const BUNDLE = "scripts/bundle-command.ts";
const INPUTS = [
  "src",
  "scripts/build.ts",
  BUNDLE,
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];
const LAST_OUTPUT = "dist/index.js";

export function build(): void {
  rmSync("dist", { recursive: true, force: true });
  runScript(BUNDLE);
  runTool("typescript", ["--project", "tsconfig.build.json"]);
}

export function isStale(): boolean {
  return !existsSync(LAST_OUTPUT) || newest(INPUTS) > statSync(LAST_OUTPUT).mtimeMs;
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
