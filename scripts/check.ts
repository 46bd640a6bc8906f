// npm run check: everything that can be said about the code without running it.
import { build } from "./build.ts";
import { runTool, stepsAtOnce } from "./steps.ts";

const CHECKS = {
  "types (tsc)": () => checkTypes("tsconfig.json"),
  "types of the page (tsc)": () => checkTypes("src/web/page/tsconfig.json"),
  "lint (oxlint)": () => runTool("oxlint", ["--type-aware", "--deny-warnings"]),
  "format (oxfmt)": () => runTool("oxfmt", ["--check"]),
  "unused code (knip)": () => runTool("knip"),
};

/** All checks of the sources. At once, because some use one core and some use all. */
export async function checkSources(): Promise<void> {
  await stepsAtOnce(CHECKS);
}

if (import.meta.main) {
  await stepsAtOnce({
    ...CHECKS,
    "build, package (publint)": async () => {
      await build();
      await runTool("publint", ["--strict"]);
    },
  });
}

/** What tsc found out stays for the next time: then it looks only at what has changed since, and at what that touches. */
function checkTypes(project: string): Promise<void> {
  const known = `node_modules/.cache/types/${project.replaceAll(/\W+/g, "-")}.tsbuildinfo`;
  return runTool("typescript", ["--project", project, "--incremental", "--tsBuildInfoFile", known]);
}
