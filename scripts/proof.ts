// npm run proof [part …]: breaks everything on purpose, and publishes what came of it. See proof/main.ts.
import { build, isStale } from "./build.ts";
import { step } from "./steps.ts";

if (isStale()) await step("build (tsc, esbuild)", build);
await import("../proof/main.ts");
