import { join } from "node:path";
import { buildSync } from "esbuild";

const PROGRAMS = join(import.meta.dirname, "../programs");

/**
 * Bundles a program of tests/faults/programs with the library into one file in `folder`, and returns its path.
 * A program that is started hundreds of times, under strace too, must not load sixty sources each time.
 */
export function bundle(name: string, folder: string): string {
  const outfile = join(folder, `${name}.mjs`);
  buildSync({
    entryPoints: [join(PROGRAMS, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
  });
  return outfile;
}
