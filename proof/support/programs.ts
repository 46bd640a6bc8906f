import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync, type BuildOptions } from "esbuild";

/** A change of the sources that takes a guard away. `from` must be there, once: a mutant that changes nothing, or something else, proves nothing. */
export interface Mutation {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const root = resolve(import.meta.dirname, "../..");

export function mutate(text: string, { file, from, to }: Mutation): string {
  const found = text.split(from).length - 1;
  if (found !== 1) throw new Error(`${file} contains ${JSON.stringify(from)} ${found} times, not once.`);
  return text.replace(from, () => to);
}

/** Bundles a program of tests/faults/programs, with a part of the sources changed if that is asked for. */
export async function bundleProgram(
  name: string,
  folder: string,
  mutations: readonly Mutation[] = [],
): Promise<string> {
  const outfile = join(folder, `${name}${mutations.length > 0 ? "-control" : ""}.mjs`);
  const options: BuildOptions = {
    entryPoints: [join(root, `tests/faults/programs/${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "warning",
    // Packages in CommonJS ask for Node's own modules by require.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  };
  if (mutations.length === 0) {
    buildSync(options);
    return outfile;
  }
  const { build } = await import("esbuild");
  const changed = new Map<string, string>();
  for (const each of mutations) {
    const path = join(root, each.file);
    changed.set(path, mutate(changed.get(path) ?? readFileSync(path, "utf8"), each));
  }
  await build({
    ...options,
    plugins: [
      {
        name: "mutate",
        setup: (build) => {
          build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = changed.get(path);
            return contents === undefined ? undefined : { contents, loader: "ts" };
          });
        },
      },
    ],
  });
  return outfile;
}

/** The commits of a governed store, without their entries in the ledger. */
export const NOT_RECORDED: Mutation = {
  file: "src/capabilities/governance/ledger/append-log.ts",
  from: "return { ...built, ...next, ...(records ? { records } : {}) };",
  to: "return { ...built, ...(records ? { records } : {}) };",
};

/** The classic mistake: SQLite's log is not synced at each commit, so a power cut takes acknowledged commits back. */
export const NOT_SYNCED: readonly Mutation[] = [
  {
    file: "src/core/store/sqlite/open.ts",
    from: "PRAGMA synchronous = FULL; PRAGMA",
    to: "PRAGMA synchronous = NORMAL; PRAGMA",
  },
  {
    file: "src/core/store/sqlite/open.ts",
    from: 'if (mode === "wal" && level === 2) return;',
    to: "if (level > 0) return;",
  },
];

/** Files get their names before what is in them is on the disk, so a power cut leaves them empty. */
export const PRIVATE_NOT_SYNCED: Mutation = {
  file: "src/core/store/write-private.ts",
  from: "flush: true",
  to: "flush: false",
};
