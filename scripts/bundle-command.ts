// The command, bundled by esbuild into dist/cli/: main.cjs is all of it, hand-over.cjs what a hook tries first.
// docs/architecture.md says why, under "Starting the command".
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build, type Plugin } from "esbuild";

const OUT = process.argv[2] ?? "dist/cli";

/** A script that vm runs cannot import modules: those of the user are left to the file of the library. */
const importOutside: Plugin = {
  name: "import-outside",
  setup: (building) =>
    building.onResolve({ filter: /\/import-file\.ts$/ }, () => ({
      path: "../workflow/definition/import-file.js",
      external: true,
    })),
};

const { outputFiles } = await build({
  entryPoints: ["src/cli/main.ts", "src/cli/hand-over.ts"],
  outdir: OUT,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node22",
  // In this format a module that is loaded by `import()` runs when that is reached, though it is in the same file.
  format: "cjs",
  supported: { "dynamic-import": false },
  plugins: [importOutside],
  define: { "import.meta.dirname": "__dirname" },
  // The launcher calls it as Node calls a CommonJS module.
  banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
  footer: { js: "})" },
  logLevel: "warning",
  logOverride: { "empty-import-meta": "error" },
  write: false,
});

for (const { path, text } of outputFiles) {
  // V8 only compares lengths: by this the launcher knows whether the code that it kept was compiled from this text.
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `/*${id}*/${text}`);
}
