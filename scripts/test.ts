// npm test: all checks, then all tests. Arguments go to vitest: npm test -- some.test.ts
import { spawnSync } from "node:child_process";
import { toolPath } from "./steps.ts";

await import("./check.ts");

// Without a terminal the log is for programs, which look for the plain summary at its end.
const isPlain = !process.stdout.isTTY && process.env["FORCE_COLOR"] === undefined;
const env = isPlain ? { ...process.env, NO_COLOR: "1" } : process.env;
const args = [toolPath("vitest"), "run", ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
