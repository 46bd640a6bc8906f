// npm run check: everything that can be said about the code without running it.
import { build } from "./build.ts";
import { runTool, step } from "./steps.ts";

step("types (tsc)", () => checkTypes("tsconfig.json"));
step("types of the page (tsc)", () => checkTypes("src/web/page/tsconfig.json"));
step("lint (oxlint)", () => runTool("oxlint", ["--type-aware", "--deny-warnings"]));
step("format (oxfmt)", () => runTool("oxfmt", ["--check"]));
step("unused code (knip)", () => runTool("knip"));
step("build (tsc, esbuild)", build);
step("package (publint)", () => runTool("publint", ["--strict"]));

/** What tsc found out stays for the next time: then it looks only at what has changed since, and at what that touches. */
function checkTypes(project: string): void {
  const known = `node_modules/.cache/types/${project.replaceAll(/\W+/g, "-")}.tsbuildinfo`;
  runTool("typescript", ["--project", project, "--incremental", "--tsBuildInfoFile", known]);
}
