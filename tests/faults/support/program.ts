import { basename, join } from "node:path";
import { buildSync } from "esbuild";

const PROGRAMS = join(import.meta.dirname, "../programs");

/** Bundles a program of tests/faults/programs. */
export function bundle(name: string, folder: string): string {
  return bundleFile(join(PROGRAMS, `${name}.ts`), folder);
}

/**
 * Bundles a program with the library into one file in `folder`, and returns its path. A program that is started
 * hundreds of times, under strace too, must not load sixty sources each time.
 */
export function bundleFile(file: string, folder: string): string {
  const outfile = join(folder, `${basename(file, ".ts")}.mjs`);
  buildSync({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
    // For packages in CommonJS.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outfile;
}
