// The page of `checkpoint ui`, bundled by esbuild into dist/page: one script, one style, one document.
import { copyFileSync, mkdirSync } from "node:fs";
import { build } from "esbuild";

const OUT = process.argv[2] ?? "dist/page";
const SOURCE = "src/doors/page/browser";

mkdirSync(OUT, { recursive: true });
await build({
  entryPoints: { page: `${SOURCE}/main.tsx`, style: `${SOURCE}/style.css` },
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
copyFileSync(`${SOURCE}/index.html`, `${OUT}/index.html`);
