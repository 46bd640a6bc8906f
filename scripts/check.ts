// npm run check: everything that can be said about the code without running it.
import { build } from "./build.ts";
import { runTool, step } from "./steps.ts";

step("types (tsc)", () => runTool("typescript"));
step("types of the page (tsc)", () => runTool("typescript", ["--project", "src/web/page"]));
step("lint (oxlint)", () => runTool("oxlint", ["--type-aware", "--deny-warnings"]));
step("format (oxfmt)", () => runTool("oxfmt", ["--check"]));
step("unused code (knip)", () => runTool("knip"));
step("build (tsc, esbuild)", build);
step("package (publint)", () => runTool("publint", ["--strict"]));
