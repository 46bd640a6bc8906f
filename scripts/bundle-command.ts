// The command, bundled by esbuild into dist/cli/: main.cjs is all of it, hand-over.cjs what a hook tries first.
// docs/architecture.md says why, under "Starting the command".
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { build, type BuildOptions, type Plugin } from "esbuild";

const OUT = process.argv[2] ?? "dist/cli";

/** A script that vm runs cannot import modules: those of the user are left to the file of the library, as seen from bin/. */
const importOutside: Plugin = {
  name: "import-outside",
  setup: (building) =>
    building.onResolve({ filter: /\/import-module\.ts$/ }, () => ({
      path: "../dist/capabilities/workflow/definition/import-module.js",
      external: true,
    })),
};

/** The launcher calls it as Node calls a CommonJS module. */
const RUN_BY_LAUNCHER: BuildOptions = {
  banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
  footer: { js: "})" },
};

mkdirSync(OUT, { recursive: true });
await Promise.all([
  bundle("main", "src/doors/command/main.ts", { minify: true, ...RUN_BY_LAUNCHER }),
  // The same with its names, for traces.
  bundle("main-debug", "src/doors/command/main.ts", { minify: false, ...RUN_BY_LAUNCHER }),
  bundle("hand-over", "src/doors/command/hand-over.ts", { minify: true }),
]);

async function bundle(name: string, entryPoint: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    ...options,
    packages: "external",
    platform: "node",
    target: "node22",
    // In this format a module that is loaded by `import()` runs when that is reached, though it is in the same file.
    format: "cjs",
    supported: { "dynamic-import": false },
    plugins: [importOutside],
    define: { "import.meta.dirname": "__dirname" },
    logLevel: "warning",
    logOverride: { "empty-import-meta": "error" },
    write: false,
  });
  // The launcher reads it as Latin-1, which is quicker; esbuild escapes what is not ASCII, but not in regular expressions.
  const text = outputFiles
    .map((file) => file.text)
    .join("")
    .replaceAll(/[^\0-\x7f]/g, escaped);
  // V8 only compares lengths: by this the launcher knows whether the code that it kept was compiled from this text.
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  writeFileSync(`${OUT}/${name}.cjs`, `/*${id}*/${text}`);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
