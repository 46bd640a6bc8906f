// The command, bundled by esbuild into dist/cli/: main.js can do everything, and loads what it needs from parts/.
// quick/ holds one file for each command that is started often: docs/architecture.md says why.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { COMMANDS } from "../src/cli/table/all.ts";

const OUT = process.argv[2] ?? "dist/cli";
const MAIN = "src/cli/main.ts";

/** The commands that hooks and agents start many times a minute, and what each of them loads every time. */
const QUICK: Readonly<Record<string, readonly string[]>> = {
  now: ["src/cli/save-now.ts"],
  load: [],
  list: ["src/cli/what-changed.ts"],
  diff: [],
  status: [],
  summary: [],
  hook: ["src/redaction/redactor.ts"],
};

/** Light versions of what takes Node long to load. */
const LIGHT: Readonly<Record<string, string>> = {
  "node:crypto": "src/cli/quick/crypto.ts",
  "node:zlib": "src/cli/quick/zlib.ts",
};

const SHARED: BuildOptions = {
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node22",
  logLevel: "warning",
};

/** What is done before a command is read. */
const FIRST = ["start-git", "hand-over"];

/** Files of ours that a quick file loads by `import()` when it needs them. */
const parts = new Set<string>();
const commands = Object.keys(QUICK).filter((name) => existsSync(commandFile(name)));
await Promise.all([
  ...FIRST.map((name) => bundleQuick(name, `src/cli/quick/${name}.ts`)),
  ...commands.map((name) => bundleQuick(name, MAIN)),
]);
await bundleAll();

/** Everything, in chunks. The parts have names of their own, by which the quick files find them. */
async function bundleAll(): Promise<void> {
  await build({
    ...SHARED,
    entryPoints: [
      { in: MAIN, out: "main" },
      ...[...parts].toSorted().map((file) => ({ in: file, out: partOf(file) })),
    ],
    outdir: OUT,
    format: "esm",
    splitting: true,
  });
}

/** All of one command in one function. Its arguments find Node's own modules, and load what is a file of its own. */
async function bundleQuick(name: string, entryPoint: string): Promise<void> {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: [entryPoint],
    outfile: `${OUT}/quick/${name}.js`,
    format: "cjs",
    minify: true,
    // Node takes long to set up the global; how long the process runs does as well.
    define: { "performance.now": "sinceStart" },
    banner: { js: '(function(require,$load,$go){"use strict";const sinceStart=()=>process.uptime()*1e3;' },
    footer: { js: "})" },
    plugins: [leaveParts([commandFile(name), ...(QUICK[name] ?? [])]), useLight(), describeOnly(name)],
    write: false,
  });
  for (const { path, text } of outputFiles) {
    const code = text.replaceAll(/\bimport\(("[^"]+")\)/g, "$load($1)");
    if (/(?<![\w$^])import\(/.test(code))
      throw new Error(`${name}: what is loaded by import() must be written out.`);
    if (code.includes("__toESM(require(")) throw new Error(`${name}: import Node's modules by their names.`);
    mkdirSync(dirname(path), { recursive: true });
    // V8 only compares lengths. The launcher must know whether code that it kept was compiled from this text.
    const id = createHash("sha256").update(code).digest("hex").slice(0, 16);
    writeFileSync(path, `"${id}";${code}`);
  }
}

/** What is not needed every time stays a file of its own. */
function leaveParts(inlined: readonly string[]): Plugin {
  return {
    name: "leave-parts",
    setup(building) {
      building.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, resolveDir }) => {
        const file = relative(process.cwd(), resolve(resolveDir, path)).replaceAll("\\", "/");
        if (kind !== "dynamic-import" || inlined.includes(file)) return undefined;
        parts.add(file);
        return { path: `../${partOf(file)}.js`, external: true };
      });
    },
  };
}

function useLight(): Plugin {
  return {
    name: "use-light",
    setup(building) {
      building.onResolve({ filter: /^node:/ }, ({ path }) => {
        const light = LIGHT[path];
        return light === undefined ? undefined : { path: resolve(light) };
      });
    },
  };
}

/** Of the table of commands the one that is meant: what the others are called is asked of the whole program. */
function describeOnly(name: string): Plugin {
  const own = Object.fromEntries(Object.entries(COMMANDS).filter(([each]) => each === name));
  return {
    name: "describe-only",
    setup(building) {
      building.onLoad({ filter: /[\\/]cli[\\/]table[\\/]all\.ts$/ }, () => ({
        contents: `export const COMMANDS = ${JSON.stringify(own)};`,
      }));
    },
  };
}

function commandFile(name: string): string {
  return `src/cli/commands/${name}.ts`;
}

/** Where a part is found, below `OUT` and without its ending. */
function partOf(file: string): string {
  return file.replace(/^src\//, "parts/").replace(/\.ts$/, "");
}
