// Builds when something changed, then runs a program of this repository: node scripts/launch.ts <program> [arguments]
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { build, isStale } from "./build.ts";
import { step } from "./steps.ts";

const [program = "", ...args] = process.argv.slice(2);
if (!existsSync(program)) {
  console.error(`cairn: there is no program "${program}" in this checkout yet.`);
  process.exit(3);
}
if (isStale()) await step("build (tsc, esbuild)", build);
process.exitCode = spawnSync(process.execPath, [program, ...args], { stdio: "inherit" }).status ?? 1;
