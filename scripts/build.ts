// npm run build: the library by tsc into dist/, the command by esbuild into dist/cli/.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { runScript, runTool, step } from "./steps.ts";

const BUNDLE = "scripts/bundle-command.ts";
const PAGE = "scripts/bundle-page.ts";
const INPUTS = [
  "src",
  "scripts/build.ts",
  BUNDLE,
  PAGE,
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];
const LAST_OUTPUT = "dist/doors/library/index.js";

/** Beside the old build, which may be in use: it is replaced at the very end. */
export async function build(): Promise<void> {
  const next = `dist/.next-${process.pid}`;
  try {
    await Promise.all([
      runScript(BUNDLE, [`${next}/cli`]),
      runTool("typescript", ["--project", "tsconfig.build.json", "--outDir", next]),
      runScript(PAGE, [`${next}/page`]),
    ]);
    replaceBuild(next);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

function replaceBuild(next: string): void {
  const kept = new Set(readdirSync(next));
  for (const name of readdirSync("dist")) {
    if (!kept.has(name) && !name.startsWith(".")) rmSync(`dist/${name}`, { recursive: true });
  }
  for (const name of kept) {
    const old = `${next}.old`;
    if (existsSync(`dist/${name}`)) renameSync(`dist/${name}`, old);
    renameSync(`${next}/${name}`, `dist/${name}`);
    rmSync(old, { recursive: true, force: true });
  }
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

if (import.meta.main) await step("build (tsc, esbuild)", build);
