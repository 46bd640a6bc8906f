// npm run check: everything that can be said about the code without running it.
import { build } from "./build.ts";
import { runTool, stepsAtOnce } from "./steps.ts";

/**
 * The compiler and the part of the linter that asks for types are Go programs, each thread of which works out by itself the types
 * that it meets: with one thread they take about 0.6 of the processor time. Checks run at once, most often beside the tests, so the
 * other cores are not idle. They end within a minute, so memory that they no longer use is not worth collecting often.
 */
const ON_ONE_CORE = { GOMAXPROCS: "1", GOGC: "400" };

const CHECKS = {
  "types (tsc)": () => checkTypes("tsconfig.json"),
  "types of the page (tsc)": () => checkTypes("src/doors/page/browser/tsconfig.json"),
  "lint (oxlint)": () => runTool("oxlint", ["--type-aware", "--deny-warnings", "--threads=1"], ON_ONE_CORE),
  "format (oxfmt)": () => runTool("oxfmt", ["--check"]),
  "unused code (knip)": () => runTool("knip"),
};

/** All checks of the sources, at once. */
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
  const incremental = ["--incremental", "--tsBuildInfoFile", known];
  return runTool("typescript", ["--project", project, "--singleThreaded", ...incremental], ON_ONE_CORE);
}
